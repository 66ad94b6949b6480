// The stock screen: edits differences and saves them all at once.

/** The edit under way; null while the screen is closed. */
let edit = null;

/** The edit tag as `If-Match` has it. */
const tagOf = ({ body }) => `"${body.editTag}"`;

async function openStock(fruit) {
	if (edit) return;
	const tag = await get('stock').then(tagOf, explain);
	if (!tag) return;
	edit = { tag, differences: new Map(), elsewhere: new Map(), isSending: false, rows: stand.fruits.map(makeStockRow) };
	byId('stock-rows').replaceChildren(...edit.rows.map((row) => row.node));
	byId('stock-notice').hidden = true;
	drawStock();
	byId('stock').showModal();
	(edit.rows.find((row) => row.fruit === fruit)?.stepper?.input ?? byId('stock-close')).focus();
}

function makeStockRow({ name: fruit, names, capacity }) {
	const name = called({ name: fruit, names });
	const [now, difference] = [make('td'), make('td')];
	const stepper = stand.levels[fruit] === null ? null : makeStepper(name, stand.levels[fruit], capacity ?? 1e9, (number) => {
		edit.differences.set(fruit, number - stand.levels[fruit]);
		drawStock();
	}, drawStock);
	if (stepper) stepper.input.min = 0;
	const node = make('tr', { 'data-fruit': fruit }, make('th', { scope: 'row' }, make('span', {}, picture(fruit), capitalized(name))), now, make('td', {}, stepper?.node ?? ''), difference);
	return { fruit, node, now, difference, stepper };
}

/** Levels keep changing while differences are edited. */
function drawStock() {
	if (!edit) return;
	for (const { fruit, now, difference, stepper } of edit.rows) {
		const level = stand.levels[fruit];
		setText(now, level === null ? say('unlimited') : count(level));
		if (!stepper) continue;
		const pieces = edit.differences.get(fruit) ?? 0;
		setText(difference, pieces === 0 ? '' : formatted(pieces, { signDisplay: 'always' }));
		if (document.activeElement !== stepper.input) stepper.input.value = Math.max(0, level + pieces);
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
		discardStock();
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

/** The stock was edited, possibly by this page. */
function hearEdit({ fruit, from, to }) {
	if (!edit || edit.isSending) return;
	edit.elsewhere.set(fruit, { from: edit.elsewhere.get(fruit)?.from ?? from, to });
	// The whole batch comes at once.
	clearTimeout(edit.timer);
	edit.timer = setTimeout(takeEditElsewhere, 100);
}

/** Someone else edited the stock: reports it, takes the new tag and keeps the differences. */
async function takeEditElsewhere() {
	const fresh = await get('stock').catch(() => null);
	if (!edit || !fresh) return;
	edit.tag = tagOf(fresh);
	for (const { fruit, level } of fresh.body.stock) stand.levels[fruit] = level;
	const what = [...edit.elsewhere].map(([fruit, { from, to }]) => `${called(fruitNamed(fruit))} ${count(from)} → ${count(to)}`);
	noticeStock(say('editedElsewhere', { what: what.join(', ') || '…' }));
	drawStock();
}
