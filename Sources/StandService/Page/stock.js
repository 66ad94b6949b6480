// The stock screen: edits differences and saves them all at once.

/** The edit under way; null while the screen is closed. */
let edit = null;

/** The edit tag as `If-Match` has it. */
const tagOf = ({ editTag }) => `"${editTag}"`;

/** The pieces that are there now: of the page, or of a later status that was fetched because of somebody else's edit. */
const levelOf = (fruit) => (edit?.later?.sequence > stand.sequence ? edit.later.stock : stand.levels)[fruit];

/** Opens the screen at a fruit. `differences` are filled in; `then` is called when they have been saved. */
async function openStock(fruit, differences = new Map(), then = () => {}) {
	if (edit) return;
	const tag = await get('status').then(tagOf, explain);
	if (!tag) return;
	edit = { tag, differences: new Map(differences), then, elsewhere: new Map(), isSending: false, rows: stand.fruits.map(makeStockRow) };
	byId('stock-rows').replaceChildren(...edit.rows.map((row) => row.node));
	byId('stock-notice').hidden = true;
	drawStock();
	byId('stock').showModal();
	(edit.rows.find((row) => row.fruit === fruit)?.input ?? byId('stock-close')).focus();
}

function makeStockRow({ name: fruit, names, capacity }) {
	const name = called({ name: fruit, names });
	const [now, difference] = [make('td'), make('td')];
	const level = () => levelOf(fruit);
	const most = capacity ?? 1e9;
	const change = (pieces) => {
		edit.differences.set(fruit, Math.min(most, Math.max(0, level() + pieces)) - level());
		drawStock();
	};
	const row = { fruit, now, difference, isTyped: false };
	if (level() !== null) {
		row.input = make('input', {
			type: 'number', inputmode: 'numeric', min: 0, max: most, label: name,
			oninput: () => {
				row.isTyped = true;
				if (row.input.value !== '' && row.input.validity.valid) change(row.input.valueAsNumber - level());
			},
			onchange: () => { row.isTyped = false; drawStock(); },
			onkeydown: (event) => {
				const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
				if (!by) return;
				event.preventDefault();
				step(by);
			},
		});
		row.stepper = makeSteps(name, row.input, (by) => step(by));
	}
	// One piece from what is there now, whatever the field showed.
	const step = (by) => {
		row.isTyped = false;
		change((edit.differences.get(fruit) ?? 0) + by);
	};
	row.node = make('tr', { 'data-fruit': fruit }, make('th', { scope: 'row' }, make('span', {}, picture(fruit), capitalized(name))), now, make('td', {}, row.stepper ?? ''), difference);
	return row;
}

/** Draws the edited differences beside the levels, which keep changing. */
function drawStock() {
	if (!edit) return;
	for (const { fruit, now, difference, input, isTyped } of edit.rows) {
		const level = levelOf(fruit);
		setText(now, levelText(level));
		if (!input) continue;
		const pieces = edit.differences.get(fruit) ?? 0;
		setText(difference, pieces === 0 ? '' : formatted(pieces, { signDisplay: 'always' }));
		// The field follows the level, but not while somebody types in it.
		if (!isTyped) input.value = Math.max(0, level + pieces);
	}
	const changes = changesOfStock().length;
	write('stock-close', changes === 0 ? say('close') : say('save', { n: changes }));
}

const changesOfStock = () => [...edit.differences].filter(([, pieces]) => pieces !== 0);

async function closeStock() {
	const changes = changesOfStock();
	if (edit.isSending) return;
	try {
		edit.isSending = true;
		if (changes.length) {
			await change('stock/changes', { changes: Object.fromEntries(changes) }, { 'if-match': edit.tag });
			toast(say('edited'), 'good');
		}
		const { then } = edit ?? {};
		discardStock();
		if (changes.length) then?.();
	} catch (refusal) {
		// The screen may have been closed meanwhile.
		if (edit) edit.isSending = false;
		if (!edit || refusal.status === 401) explain(refusal);
		else if (refusal.status === 412) await takeEditElsewhere();
		else noticeStock(whyRefused(refusal));
	}
}

function discardStock() {
	edit = null;
	byId('stock').close();
}

function noticeStock(text) {
	write('stock-notice', text);
	byId('stock-notice').hidden = false;
}

/** Hears of an edit of the stock, possibly by this page. */
function hearEdit({ fruit, from, to }) {
	if (!edit || edit.isSending) return;
	edit.elsewhere.set(fruit, { from: edit.elsewhere.get(fruit)?.from ?? from, to });
	// Debounces: the facts of one edit arrive one after another.
	clearTimeout(edit.timer);
	edit.timer = setTimeout(takeEditElsewhere, 100);
}

/** Someone else edited the stock: reports it, takes the new tag and keeps the differences. */
async function takeEditElsewhere() {
	const fresh = await get('status').catch(() => null);
	if (!edit || !fresh) return;
	edit.tag = tagOf(fresh);
	edit.later = fresh;
	const what = [...edit.elsewhere].map(([fruit, { from, to }]) => `${called(fruitNamed(fruit))} ${count(from)} → ${count(to)}`);
	noticeStock(say('editedElsewhere', { what: what.join(', ') || '…' }));
	drawStock();
}
