// The live view: figures, levels, the line, charts over time, alerts, the log.

// Building.

let figureNodes = {};
let levelRows = [];
let charts = [];

function rebuildLiveView() {
	const texts = words[language];
	figureNodes = {};
	byId('figures').replaceChildren(...Object.entries(texts.figures).map(([name, text]) => {
		figureNodes[name] = [make('dd', { 'data-figure': name }), make('dd.small')];
		return make('div', {}, make('dt.small', {}, text), ...figureNodes[name]);
	}));
	levelRows = stand.fruits.map(makeLevelRow);
	byId('levels').replaceChildren(...levelRows.map((row) => row.node));
	const figure = (name) => ({ name: texts.figures[name], points: steps((sample) => sample[name]), now: () => shown().figures[name] });
	const plots = [
		makePlot(capitalized(texts.customers), say('axisCustomers'), [figure('queue'), figure('present')]),
		makePlot(say('ratePerMinute', { what: texts.figures.served }), say('axisOrders'), [{ name: texts.figures.served, points: growth((sample) => sample.served), digits: 1 }]),
		makePlot(say('ratePerMinute', { what: texts.figures.lost }), say('axisOrders'), reasons.filter(({ isByCommand }) => !isByCommand).map(({ name }) => ({ name: texts.reason[name], points: growth((sample) => sample[name]), digits: 2 }))),
	];
	plots[0].bands = bandsOf(({ queue }) => queue, () => stand.figures.queue);
	charts = [...plots, ...levelRows.map((row) => row.chart)];
	byId('charts').replaceChildren(...plots.map(({ figure }) => figure));
	rebuildTimeBar();
	for (const list of ['log', 'alerts']) redrawList(byId(list), []);
}

function makeLevelRow(fruit) {
	const name = called(fruit);
	const [fill, coming, level, onOrder] = [make('i.fill'), make('i.fill.coming'), make('strong'), make('span.small')];
	const chart = makeChart([{ name, points: steps(({ levels }) => levels[fruit.name] ?? 0) }]);
	chart.bands = bandsOf(({ fruits }) => fruits[fruit.name]?.level, () => stand.levels[fruit.name]);
	const marks = [['low', fruit.lowStock], ['', fruit.reorderPoint]].filter(([, pieces]) => pieces != null).map(([kind, pieces]) => ({ pieces, node: make('i', { class: 'mark ' + kind }) }));
	const bar = make('div.bar', { role: 'meter', label: name, 'aria-valuemin': 0 }, coming, fill, ...marks.map((mark) => mark.node));
	const add = stand.levels[fruit.name] === null ? '' : make('button.add', { label: say('restockOf', { fruit: name }), onclick: () => restock(fruit) }, '+');
	const node = inColour(make('li', { 'data-fruit': fruit.name }, make('span', {}, picture(fruit.name), capitalized(name), onOrder), level, bar, chart.node, add), fruit.name);
	return { fruit, node, fill, coming, marks, bar, level, onOrder, chart, top: fruit.capacity ?? Math.max(1, 2 * fruit.reorderPoint, 4 * fruit.lowStock) };
}

// Drawing.

const shareServed = ({ served, orders }) => formatted(orders ? served / orders : 0, { style: 'percent' });

/** Why orders were lost, with the number of each. */
const reasonsOf = (figures) => reasons.filter(({ name }) => figures[name]).map(({ name }) => words[language].reason[name] + ' ' + count(figures[name])).join(', ');

function drawLiveView(now) {
	const { figures, makers, places } = shown();
	const show = (name, value, detail = '') => {
		setText(figureNodes[name][0], value);
		setText(figureNodes[name][1], detail);
	};
	const { p50, p95, p99 } = figures.waits ?? {};
	show('wait', spell(p50), say('waitsOf', { p95: spell(p95), p99: spell(p99) }));
	show('revenue', money(figures.revenue), figures.served > 0 ? say('perOrder', { n: money(figures.revenue / figures.served) }) : '');
	for (const name of ['orders', 'present']) show(name, count(figures[name]));
	show('served', count(figures.served), figures.orders > 0 ? say('shareOf', { n: shareServed(figures) }) : '');
	show('lost', count(lost(figures)), reasonsOf(figures));
	show('queue', count(figures.queue), places == null ? '' : say('places', { n: count(places) }));
	show('makers', ofLimit(figures.busyMakers, makers));
	show('short', ...firstShort());
	show('alerts', count(figures.lowStockAlerts));
	for (const row of levelRows) drawLevel(row);
	const [, length] = ranges.find(([span]) => span === axis.length);
	write('curve', axis.zoom || axis.held ? '' : capitalized(say('curve', { span: say(length) })));
	write('forecast-age', forecast && !past ? capitalized(say('forecastAge', { 1: spell(Math.max(0, timeOfNow() - forecastAt)) })) : '');
	if (axis.cursor === null && !axis.zoom) {
		for (const { series, values } of charts) series.forEach(({ now }, place) => now && setText(values[place], count(now())));
	}
	redrawList(byId('alerts'), shown().alerts.slice(-6).toReversed(), (fact) => fact.seq, makeLogLine);
	if (now - logDrawnAt > 950) drawLog(now);
}

/** The fruits that are low, or the one that becomes short first, with the reason to say so. */
function firstShort() {
	const low = stand.fruits.filter(({ name }) => isLow(name, shown().levels[name]));
	if (low.length) return [capitalized(low.map(called).join(', ')), say('low')];
	const expected = past || !forecast ? [] : stand.fruits.map((fruit) => ({ fruit, fate: forecast.fruits[fruit.name]?.short }))
		.filter(({ fate }) => fate?.probability.mean >= .5 && fate.at.p50 > timeOfNow()).sort((one, other) => one.fate.at.p50 - other.fate.at.p50);
	if (expected.length) return [capitalized(called(expected[0].fruit)), fateOf(expected[0].fruit.name)];
	return ['–', forecast && !past ? say('lastsLong') : ''];
}

function drawLevel(row) {
	const { levels, onOrder } = shown();
	const level = levels[row.fruit.name];
	setText(row.level, levelText(level));
	if (level === null) return;
	const coming = onOrder[row.fruit.name];
	row.top = Math.max(row.top, level, row.fruit.capacity ? 0 : level + coming);
	setText(row.onOrder, [coming > 0 && say('onOrder', { n: count(coming) }), level && fateOf(row.fruit.name)].filter(Boolean).join(' · '));
	setAttribute(row.bar, 'aria-valuenow', level);
	setAttribute(row.bar, 'aria-valuemax', row.top);
	row.fill.style.transform = `scaleX(${level / row.top})`;
	row.coming.style.transform = `scaleX(${Math.min(1, (level + coming) / row.top)})`;
	for (const { node, pieces } of row.marks) node.style.left = Math.min(100, pieces / row.top * 100) + '%';
	row.node.classList.toggle('short', isLow(row.fruit.name, level));
}

let logDrawnAt = -Infinity;

function drawLog(now) {
	logDrawnAt = now;
	const filter = byId('log-filter').value.trim().toLowerCase();
	const found = [];
	const lines = past?.events ?? facts;
	for (let place = lines.length - 1; place >= 0 && found.length < 40; place--) {
		const fact = lines[place];
		if (!filter || tell(fact).toLowerCase().includes(filter)) found.push(fact);
	}
	redrawList(byId('log'), found, (fact) => fact.seq, makeLogLine);
	const isLater = (line) => past !== null && line.dataset.sequence > past.sequence;
	const rows = [...byId('log').children];
	for (const line of rows) line.classList.toggle('later', isLater(line));
	if (past) byId('log').scrollTop = Math.max(0, (rows.find((line) => !isLater(line))?.offsetTop ?? 0) - 80);
}

const makeLogLine = (fact) => make('li', { class: fact.event, 'data-sequence': fact.seq }, make('time', {}, clock(fact.at)), make('span', {}, tell(fact)));
