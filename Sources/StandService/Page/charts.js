// Charts of the stand over one time axis, which they all share.

/** The times shown, in stand seconds: the last `length` before now, those of `zoom`, or those of `held` while the page shows an
 * instant that has passed. `ahead` is shown beyond now, for bands of what may come. */
const axis = { length: 600, zoom: null, held: null, ahead: 0, cursor: null };

/** The stand over time, oldest first: figures and levels after the last event at `time`. */
let samples = [];
let samplesAsked = 0;

const sampled = ['queue', 'present', 'orders', 'served', ...reasons.map(({ name }) => name)];
const sampleOf = (time, figures, levels) => ({ time, ...Object.fromEntries(sampled.map((name) => [name, figures[name]])), levels: { ...levels } });

/** The first and the last time shown. */
function span() {
	if (axis.held ?? axis.zoom) return axis.held ?? axis.zoom;
	const now = timeOfNow();
	return [Math.max(0, now - axis.length), Math.max(1, now + axis.ahead)];
}

/** Fetches the samples of the range from the ledger. A stand without a ledger is sampled from now on. */
async function fetchSamples() {
	const asked = ++samplesAsked;
	const [from, to] = span();
	const end = axis.held ?? axis.zoom ? '&to=' + to.toFixed(3) : '';
	// The clock of the page may be ahead of the stand's, which knows nothing of its future.
	const start = Math.min(from, stand.told);
	const found = await get(`history?from=${start.toFixed(3)}${end}`).catch(() => null);
	if (asked !== samplesAsked || !found) return;
	// Samples that are later than the answer stay.
	const newer = samples.filter(({ time }) => time > found.to);
	samples = found.at.map((time, place) => {
		const pick = (lists) => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list[place]]));
		return sampleOf(time, { ...pick(found), ...pick(found.lost) }, pick(found.stock));
	}).concat(newer);
	drawCharts();
}

/** Stand time between two samples. */
const sampleStep = () => Math.min(axis.length, timeOfNow()) / 240;

/** Takes a sample of the stand after its last event. It replaces the last sample if that is too near to the one before. If there
 * are too many samples, every second one is dropped. */
function takeSample() {
	const time = stand.since;
	if (!('queue' in stand.figures)) return;
	while (samples.at(-1)?.time >= time) samples.pop();
	if (time - samples.at(-2)?.time < sampleStep()) samples.pop();
	samples.push(sampleOf(time, stand.figures, stand.levels));
	if (samples.length > 1200) samples = samples.filter((_, place) => (samples.length - place) % 2);
}

/** The last sample at or before a time. */
function sampleAt(time) {
	let [low, high] = [0, samples.length];
	while (low < high) {
		const middle = low + high >> 1;
		if (samples[middle].time <= time) low = middle + 1;
		else high = middle;
	}
	return samples[low - 1];
}

/** The points of a step function: a figure keeps its value from each sample to the next. */
const steps = (value) => ([from, to]) => {
	const points = [];
	for (const sample of [sampleAt(from), ...samples.filter(({ time }) => time > from && time <= to)]) {
		if (!sample) continue;
		if (points.length) points.push([sample.time, points.at(-1)[1]]);
		points.push([Math.max(from, sample.time), value(sample)]);
	}
	if (points.length) points.push([Math.min(to, timeOfNow()), points.at(-1)[1]]);
	return points;
};

/** The points of a count's growth per minute of stand time. */
const growth = (value) => ([from, to]) => {
	const points = [];
	const end = Math.min(to, timeOfNow());
	const width = Math.max((to - from) / 12, 60);
	for (let place = 0; place <= 120 && samples.length; place++) {
		const time = from + (end - from) * place / 120;
		const start = Math.max(time - width, samples[0].time);
		const [first, last] = [sampleAt(start), sampleAt(time)];
		if (first && time > start) points.push([time, (value(last) - value(first)) / (time - start) * 60]);
	}
	return points;
};

/** A chart of series: `{ name, points, digits }`, where `points` gives `[time, value]` of a span. `bands` gives lists of
 * `[time, low, high]`, which may lie beyond now: see `axis.ahead`. */
function makeChart(series) {
	const [areas, lines] = [shape('g', {}), series.map(() => shape('polyline', {}))];
	const [cursor, mark] = ['cursor', 'instant'].map((name) => shape('line', { class: name, y1: 0, y2: 1000 }));
	const grid = shape('path', { class: 'grid' });
	const node = shape('svg', { class: 'chart', viewBox: '0 0 3000 1000', preserveAspectRatio: 'none', 'aria-hidden': true }, grid, areas, ...lines, cursor, mark);
	const chart = { series, grid, areas, lines, cursor, mark, node, bands: () => [] };
	listenTo(node, chart);
	return chart;
}

/** A chart with a legend of its values, and with axes: `unit` names what goes up, with its unit. */
function makePlot(title, unit, series) {
	const chart = makeChart(series);
	chart.values = series.map(() => make('strong'));
	[chart.scale, chart.ticks, chart.hours] = ['div.scale', 'div.ticks', 'span.hours'].map((name) => make(name));
	const legend = series.map(({ name }, place) => make('span', {}, make('i.line'), name, ' ', chart.values[place]));
	chart.plot = make('div.plot', { role: 'slider', tabindex: 0, label: title, onkeydown: (event) => moveCursor(event, chart) },
		make('span.unit', {}, unit), chart.scale, chart.node, chart.ticks, chart.hours);
	chart.figure = make('figure.small', {}, make('figcaption.legend', {}, make('strong', {}, title), ...legend), chart.plot);
	return chart;
}

const valueText = (points, time, digits) => formatted(points.findLast(([at]) => at <= time)?.[1], { maximumFractionDigits: digits });

function drawChart(chart, range) {
	const [from, to] = range;
	const lists = chart.series.map(({ points }) => points(range));
	const bands = chart.bands(range);
	const highest = Math.max(1, ...lists.flat().map(([, value]) => value), ...bands.flat().map(([, , high]) => high));
	// At most five steps of a round height. Counts have whole steps.
	const power = 10 ** Math.floor(Math.log10(highest / 5));
	const step = Math.max(chart.series[0].digits ? 0 : 1, [1, 2, 5, 10].find((step) => step * power * 5 >= highest) * power);
	const marks = Array.from({ length: Math.ceil(highest / step) + 1 }, (_, place) => place * step);
	const top = marks.at(-1);
	const x = (time) => Math.round((time - from) / (to - from) * 3000);
	const y = (value) => Math.round(990 - value / top * 980);
	const polygons = bands.map((band) => [...band.map(([at, low]) => [at, low]), ...band.toReversed().map(([at, , high]) => [at, high])]);
	const under = lists[0].length ? [[lists[0][0][0], 0], ...lists[0], [lists[0].at(-1)[0], 0]] : [];
	while (chart.areas.childElementCount < polygons.length + 1) chart.areas.append(shape('polygon', {}));
	const text = (points) => points.map(([time, value]) => x(time) + ',' + y(value)).join(' ');
	[under, ...polygons].forEach((points, place) => chart.areas.children[place].setAttribute('points', text(points)));
	lists.forEach((points, line) => chart.lines[line].setAttribute('points', text(points)));
	for (const [line, time] of [[chart.cursor, axis.cursor], [chart.mark, past?.time]]) {
		line.classList.toggle('on', time != null && time >= from && time <= to);
		if (time != null) for (const end of ['x1', 'x2']) line.setAttribute(end, x(time));
	}
	if (!chart.plot) return;
	const time = axis.cursor ?? past?.time ?? to;
	chart.series.forEach(({ digits = 0 }, place) => setText(chart.values[place], valueText(lists[place], time, digits)));
	chart.grid.setAttribute('d', marks.map((value) => `M0 ${y(value)}H3000`).join(''));
	redrawList(chart.scale, marks.map(count), (text) => text, (text) => make('span', {}, text));
	marks.forEach((value, place) => { chart.scale.children[place].style.top = y(value) / 10 + '%'; });
	for (const [name, value] of [['min', from], ['max', to], ['now', time]]) setAttribute(chart.plot, 'aria-value' + name, Math.round(value));
	setAttribute(chart.plot, 'aria-valuetext', `${clock(time)}: ${chart.series.map(({ name }, place) => `${name} ${chart.values[place].shown}`).join(', ')}`);
	setText(chart.hours, say(drawTicks(chart.ticks, from, to) < 60 ? 'axisSeconds' : 'axisTime'));
}

const tickSteps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600, 43200, 86400];

/** Marks round times under a chart, and returns the seconds between them. */
function drawTicks(node, from, to) {
	const width = node.clientWidth || 400;
	const most = Math.max(2, width / 90);
	const step = tickSteps.find((step) => (to - from) / step <= most) ?? Math.ceil((to - from) / most / 86400) * 86400;
	const times = [];
	const edge = (to - from) * 24 / width;
	const opening = openingSecond();
	for (let time = Math.ceil((from + edge + opening) / step) * step - opening; time <= to - edge; time += step) times.push(time);
	redrawList(node, times, (time) => time, (time) => make('span', {}, step < 60 ? clock(time) : clock(time).slice(0, -3)));
	times.forEach((time, place) => { node.children[place].style.left = (time - from) / (to - from) * 100 + '%'; });
	return step;
}

function drawCharts() {
	if (tab === 'order') return;
	catchUp();
	takeSample();
	const range = span();
	if (tab === 'live') for (const chart of charts) drawChart(chart, range);
	drawTimeBar(range);
}

// Pointer and keyboard: values at a time, a click for that instant, a drag for a range.

let drag = null;
/** The values at the cursor. */
let reading = '';

function listenTo(node, chart) {
	const timeOf = (event) => {
		const { left, width } = node.getBoundingClientRect();
		const [from, to] = span();
		return from + Math.min(1, Math.max(0, (event.clientX - left) / width)) * (to - from);
	};
	node.onpointerdown = (event) => {
		drag = { x: event.clientX, range: [...span()], time: timeOf(event) };
		node.setPointerCapture(event.pointerId);
	};
	node.onpointermove = (event) => {
		axis.cursor = timeOf(event);
		reading = readingOf(chart);
		drawCharts();
	};
	node.onpointerup = (event) => {
		const time = timeOf(event);
		if (drag && Math.abs(event.clientX - drag.x) > 8) zoomTo([Math.min(time, drag.time), Math.max(time, drag.time)]);
		else if (drag) goToTime(time);
		drag = null;
	};
	node.onpointerleave = () => {
		axis.cursor = null;
		drawCharts();
	};
}

const readingOf = ({ series }) => `${clock(axis.cursor)} · ${series.map(({ name, points, digits = 0 }) =>
	`${name} ${valueText(points(span()), axis.cursor, digits)}`).join(', ')}`;

function moveCursor(event, chart) {
	const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
	const [from, to] = span();
	if (event.key === 'Escape') axis.cursor = null;
	else if (event.key === 'Enter' && axis.cursor !== null) goToTime(axis.cursor);
	else if (step) axis.cursor = Math.min(to, Math.max(from, (axis.cursor ?? to) + step * (to - from) / 100));
	else return;
	event.preventDefault();
	if (axis.cursor !== null) reading = readingOf(chart);
	drawCharts();
}

/** Shows a range of times; null follows now. */
function zoomTo(range, length = axis.length) {
	Object.assign(axis, { zoom: range, length, held: past && !range ? axis.held : null });
	fetchSamples();
	drawCharts();
}
