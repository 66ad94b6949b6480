// The live view: figures, levels, the line, charts over time, alerts, the log.

const mostSamples = 300;
/** The samples of the charts, newest last; null until the earlier facts have arrived. */
let samples = null;
let alerts = [];

const sampleOf = (time, figures, levels) => ({ time, queue: figures.queue, present: figures.present, served: figures.served, lost: lost(figures), levels: { ...levels } });

function forgetHistory() {
	samples = null;
	alerts = [];
}

/** Once the earlier facts have arrived, undoes them from the latest back to reconstruct the samples. */
function noteHistory(fact) {
	if (fact.event === 'lowStock' || fact.event === 'stockRecovered') alerts = [fact, ...alerts].slice(0, 6);
	if (samples || fact.seq < stand.sequence) return;
	samples = [];
	const [figures, levels] = [{ ...stand.figures }, { ...stand.levels }];
	let time = fact.at;
	for (const former of facts.toReversed()) {
		if (former.seq > stand.sequence) continue;
		for (; former.at < time && samples.length < mostSamples; time -= stand.speed) samples.unshift(sampleOf(time, figures, levels));
		reckon(former, figures, levels, -1);
	}
}

/** Takes a sample; called once a second. */
function takeSample() {
	if (!samples || !isConnected || stand.phase !== 'open') return;
	samples.push(sampleOf(timeOfNow(), stand.figures, stand.levels));
	if (samples.length > mostSamples) samples.shift();
}

// Building.

let figureNodes = {};
let levelRows = [];
let charts = [];

function rebuildLiveView() {
	const texts = words[language];
	figureNodes = {};
	element('figures').replaceChildren(...Object.entries(texts.figures).map(([name, text]) => {
		figureNodes[name] = [make('dd', { 'data-figure': name }), make('dd', { class: 'small' })];
		return make('div', {}, make('dt', { class: 'small' }, text), ...figureNodes[name]);
	}));
	levelRows = stand.fruits.map(makeLevelRow);
	element('levels').replaceChildren(...levelRows.map((row) => row.node));
	charts = [['queue', 'present'], ['served', 'lost']].map(makePlot);
	element('charts').replaceChildren(...charts.map(({ node }) => node));
	for (const list of ['log', 'alerts']) redrawList(element(list), []);
}

function makeLevelRow(fruit) {
	const name = called(fruit);
	const [fill, coming, level, onOrder, chart] = [make('i', { class: 'fill' }), make('i', { class: 'fill coming' }), make('strong'), make('span', { class: 'small' }), makeChart()];
	const marks = [['low', fruit.lowStock], ['', fruit.reorderPoint]].filter(([, pieces]) => pieces != null).map(([kind, pieces]) => ({ pieces, node: make('i', { class: 'mark ' + kind }) }));
	const bar = make('div', { class: 'bar', role: 'meter', 'aria-label': name, 'aria-valuemin': 0 }, coming, fill, ...marks.map((mark) => mark.node));
	const node = make('li', { class: colorOf(fruit.name), 'data-fruit': fruit.name }, make('span', {}, capitalized(name), onOrder), level, bar, chart.node);
	return { fruit, node, fill, coming, marks, bar, level, onOrder, chart, top: fruit.capacity ?? Math.max(1, 2 * fruit.reorderPoint, 4 * fruit.lowStock) };
}

// Drawing.

function drawLiveView(now) {
	const { figures, makers, places } = stand;
	const show = (name, value, detail = '') => {
		setText(figureNodes[name][0], value);
		setText(figureNodes[name][1], detail);
	};
	for (const name of ['orders', 'served', 'present']) show(name, count(figures[name]));
	show('lost', count(lost(figures)), say('lostBy', figures));
	show('queue', count(figures.queue), places === null ? '' : say('places', { n: count(places) }));
	show('makers', count(figures.busyMakers) + (makers === null ? '' : ' / ' + count(makers)));
	show('alerts', count(figures.lowStockAlerts));
	for (const row of levelRows) drawLevel(row);
	drawLine();
	redrawList(element('alerts'), alerts, (fact) => fact.seq, makeLogLine);
	setText(element('sequence'), count(stand.sequence));
	if (now - logDrawnAt > 950) drawLog(now);
}

function drawLevel(row) {
	const level = stand.levels[row.fruit.name];
	if (level === null) return setText(row.level, say('unlimited'));
	const coming = stand.onOrder[row.fruit.name];
	row.top = Math.max(row.top, level, row.fruit.capacity ? 0 : level + coming);
	setText(row.level, count(level));
	setText(row.onOrder, coming > 0 ? say('onOrder', { n: count(coming) }) : '');
	setAttribute(row.bar, 'aria-valuenow', level);
	setAttribute(row.bar, 'aria-valuemax', row.top);
	row.fill.style.transform = `scaleX(${level / row.top})`;
	row.coming.style.transform = `scaleX(${Math.min(1, (level + coming) / row.top)})`;
	for (const { node, pieces } of row.marks) node.style.left = Math.min(100, pieces / row.top * 100) + '%';
	row.node.classList.toggle('short', row.fruit.lowStock != null && level <= row.fruit.lowStock);
}

/** Draws makers as glasses and waiting customers as heads, at most a hundred. */
function drawLine() {
	const { queue, busyMakers } = stand.figures;
	const makers = Math.min(stand.makers ?? busyMakers, 40);
	const line = element('line');
	const length = makers + Math.min(queue, 60);
	while (line.childElementCount > length) line.lastChild.remove();
	while (line.childElementCount < length) line.append(make('i'));
	[...line.children].forEach((node, place) => setAttribute(node, 'class', place >= makers ? 'guest' : place < busyMakers ? 'maker busy' : 'maker'));
}

let logDrawnAt = -Infinity;

function drawLog(now) {
	logDrawnAt = now;
	if (element('log-hold').checked) return;
	const filter = element('log-filter').value.trim().toLowerCase();
	const shown = [];
	for (let place = facts.length - 1; place >= 0 && shown.length < 40; place--) {
		const fact = facts[place];
		if (!filter || tell(fact).toLowerCase().includes(filter)) shown.push(fact);
	}
	redrawList(element('log'), shown, (fact) => fact.seq, makeLogLine);
}

const makeLogLine = (fact) => make('li', { class: fact.event, 'data-sequence': fact.seq }, make('time', {}, clock(fact.at)), make('span', {}, tell(fact)));

// Charts: lines from the left, the oldest, to the right, now; the first of them over an area.

function makeChart() {
	const [area, ...lines] = ['polygon', 'polyline', 'polyline'].map((tag) => shape(tag, {}));
	return { area, lines, node: shape('svg', { class: 'chart', viewBox: '0 0 3000 1000', preserveAspectRatio: 'none', 'aria-hidden': true }, area, ...lines) };
}

/** A chart of those figures with what they are and were, how high it reaches, and from when to when. */
function makePlot(names) {
	const chart = makeChart();
	const values = names.map(() => make('strong'));
	const [top, from, to] = ['top', 'from', 'to'].map((place) => make('span', { class: place }));
	const legend = names.map((name, place) => make('span', {}, make('i', { class: 'line' }), words[language][name] ?? words[language].figures[name], ' ', values[place]));
	const node = make('figure', { class: 'small' }, make('figcaption', { class: 'legend' }, ...legend), make('div', { class: 'plot' }, top, make('span', { class: 'zero' }, '0'), chart.node, from, to));
	return { ...chart, names, node, values, top, from, to };
}

/** Draws a line for each list of values; what the top means is returned. */
function drawChart({ area, lines }, lists) {
	const highest = Math.max(1, ...lists.flat());
	const power = 10 ** Math.floor(Math.log10(highest));
	const top = [1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= highest) * power;
	lists.forEach((values, line) => {
		const points = values.map((value, place) => `${Math.round(place / (values.length - 1) * 3000)},${Math.round(990 - value / top * 980)}`).join(' ');
		lines[line].setAttribute('points', points);
		if (line === 0) area.setAttribute('points', `0,1000 ${points} 3000,1000`);
	});
	return top;
}

function drawCharts() {
	if (!samples || samples.length < 2) return;
	for (const { fruit, chart } of levelRows) drawChart(chart, [samples.map(({ levels }) => levels[fruit.name] ?? 0)]);
	const perMinute = (name, place) => {
		const former = samples[Math.max(0, place - 15)];
		const latter = samples[Math.max(place, Math.min(15, samples.length - 1))];
		return (latter[name] - former[name]) / (latter.time - former.time || 1) * 60;
	};
	for (const chart of charts) {
		const lists = chart.names.map((name) => samples.map((sample, place) => name === 'served' || name === 'lost' ? perMinute(name, place) : sample[name]));
		setText(chart.top, count(drawChart(chart, lists)));
		setText(chart.from, clock(samples[0].time));
		setText(chart.to, clock(samples.at(-1).time));
		lists.forEach((values, place) => setText(chart.values[place], values.at(-1).toLocaleString(language, { maximumFractionDigits: 1 })));
	}
}
