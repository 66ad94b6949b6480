// Controls of the stand, which need the token, and downloads, which do not.

/** Makes a change and says what went wrong. */
const attempt = (...request) => change(...request).then(askStatus, explain);

const setRate = (factor) => attempt('rate', { factor: Math.min(100, Math.max(0, Math.round(factor * 1000) / 1000)) }, {}, 'PUT');

const setSpeed = (speed) => attempt('speed', { speed: Math.min(1e6, Math.max(.001, speed)) }, {}, 'PUT');

byId('pause').onclick = () => attempt(stand.phase === 'paused' ? 'resume' : 'pause');
byId('slower').onclick = () => setSpeed(stand.speed / 2);
byId('faster').onclick = () => setSpeed(stand.speed * 2);
byId('half').onclick = () => setRate(stand.rate / 2);
byId('double').onclick = () => setRate(stand.rate * 2);
// The slider is logarithmic: a quarter to four times, and each end is that or beyond.
byId('rate').onchange = () => setRate(2 ** byId('rate').valueAsNumber);
byId('read-only').onclick = () => explain(new Refusal(401, {}));

function drawControls() {
	const { phase, rate, speed } = stand;
	write('pause', say(phase === 'paused' ? 'resume' : 'pause'));
	write('rate-now', capitalized(say('arrivalRate', { 1: '× ' + rounded(rate) })));
	write('speed', capitalized(say('speed', { 1: '× ' + rounded(speed) })) + (isBehind() ? ' · ' + say('behindBy', { span: spell(stand.behind.seconds) }) : ''));
	setAttribute(byId('rate'), 'aria-valuetext', '× ' + rate);
	if (document.activeElement !== byId('rate')) byId('rate').value = Math.log2(rate || 1 / 4);
	byId('read-only').hidden = token !== null;
	for (const id of ['pause', 'slower', 'faster', 'half', 'rate', 'double']) setAttribute(byId(id), 'disabled', token && phase !== 'closed' ? null : '');
}

/** Asks how many pieces to add. */
function restock({ name, names, capacity }) {
	const level = stand.levels[name];
	const input = make('input', { type: 'number', min: 1, max: 1e9, value: capacity ? Math.max(1, capacity - level) : 10, 'aria-labelledby': 'question-title', onchange: () => effect() });
	const words = make('p', { role: 'status' });
	// Before the user confirms, a forecast says when the fruit would become short after the restock.
	const effect = () => change('forecast', { changes: [{ restock: { [name]: input.valueAsNumber } }] }).then(({ runs }) => setText(words, '→ ' + fateOf(name, runs[1])), () => {});
	ask(say('restockOf', { fruit: called({ name, names }) }), say('inHand', { n: count(level) }), [[say('close')], [say('restock'), () => {
		if (input.valueAsNumber > 0) attempt('stock/changes', { changes: { [name]: Math.round(input.valueAsNumber) } });
	}]], [input, words]);
	effect();
}

function download(name, type, parts) {
	const link = make('a', { href: URL.createObjectURL(new Blob(parts, { type })), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Downloads the ledger up to the present event. */
function downloadLedger() {
	const [last, lines] = [stand.sequence, []];
	const events = new EventSource(api + 'events?after=0');
	events.onmessage = ({ data, lastEventId }) => {
		if (lastEventId <= last) lines.push(data + '\n');
		if (lastEventId < last) return;
		events.close();
		download(stand.name + '.jsonl', 'application/jsonl', lines);
	};
}

/** Downloads the samples that the charts show, as CSV. */
function downloadFigures() {
	takeSample();
	const [from, to] = span();
	const rows = samples.filter(({ time }) => time >= from && time <= to).map(({ levels, ...figures }) => Object.values({ ...figures, ...levels }));
	const head = ['at', ...sampled, ...stand.fruits.map(({ name }) => JSON.stringify(name))];
	download(stand.name + '.csv', 'text/csv', [head, ...rows].map((row) => row.join(',') + '\n'));
}

byId('get-ledger').onclick = downloadLedger;
byId('get-figures').onclick = downloadFigures;
