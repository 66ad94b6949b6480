// The comparison of wirings, if the stand was given one. A report is this file with the comparison in it.

let comparison = null;

async function fetchComparison() {
	comparison = (await get('comparison').catch(() => null))?.body ?? null;
	element('tab-comparison').hidden = !comparison;
	drawComparison();
}

function drawComparison() {
	if (!comparison) return;
	const { wirings, machine, rows = [], advice = [], partial } = comparison;
	const counts = [...new Set(wirings.flatMap(({ speed }) => speed.map(({ observers }) => observers)))].sort((a, b) => a - b);
	const costOf = ({ speed }, count) => speed.find(({ observers }) => observers === count);
	const number = (value) => (value?.median ?? value)?.toLocaleString(language, { maximumSignificantDigits: 3 }) ?? '–';
	const panel = (title, ...children) => make('section', { class: 'panel' }, make('h2', {}, title), ...children);
	const small = (text) => make('div', { class: 'small' }, text);
	const table = (title, heads, rows) => make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title }, make('table', { class: 'compared' },
		make('thead', {}, make('tr', {}, ...[title, ...heads].map((text) => make('th', { scope: 'col' }, text)))), make('tbody', {}, ...rows)));
	const row = (title, cells, ...details) => make('tr', {}, make('th', { scope: 'row' }, title, ...details.map(small)), ...cells);
	const cell = (value, ...details) => make('td', {}, make('strong', {}, value), ...details.map(small));

	const costCell = (cost) => cost ? cell(number(cost.nanosecondsPerNotification), `${number(cost.ratioToClosure)} ${say('times')}`) : cell('–');
	const standCell = ({ ordersPerSecond, deliveryLatency, why = '' } = {}) => ordersPerSecond
		? cell(`${number(ordersPerSecond)} ${say('perSecond')}`, ...['p50', 'p99'].map((name) => `${name} ${number(deliveryLatency?.[name] && deliveryLatency[name] * 1e6)} µs`))
		: cell('–', why);

	/** A finding as a sign; its evidence opens on click. */
	const signs = { holds: '✓', holdsNot: '✗', unknown: '?', inapplicable: '–' };
	const finding = ({ holds = null, applies = true, evidence = '–', price } = {}) => {
		const name = applies ? { true: 'holds', false: 'holdsNot', null: 'unknown' }[holds] : 'inapplicable';
		return make('td', { class: name }, make('details', {}, make('summary', { 'aria-label': say(name) }, signs[name]), evidence, price ? ` (${number(price)} ns)` : ''));
	};
	const matrix = [...new Set(rows.map(({ group }) => group))].flatMap((group) => [
		make('tr', {}, make('th', { scope: 'rowgroup', colspan: wirings.length + 1, class: 'group' }, group)),
		...rows.filter((row) => row.group === group).map(({ name, title }) => row(title, wirings.map(({ properties }) => finding(properties[name])))),
	]);

	/** Lengths are logarithmic: the slowest wiring takes a thousand times as long as the quickest. */
	const chart = (count) => {
		const bars = wirings.map((wiring) => [wiring.name, costOf(wiring, count)?.nanosecondsPerNotification.median]).filter(([, value]) => value);
		const length = (value) => Math.log2(Math.max(value, 1.1));
		const max = Math.max(...bars.map(([, value]) => length(value)));
		return make('figure', {}, make('figcaption', {}, `${say('observers', { n: count })} (log)`), ...bars.map(([name, value]) => make('div', { class: 'measured' },
			name, make('meter', { max, value: length(value), 'aria-label': name }), `${number(value)} ns`)));
	};

	element('comparison').replaceChildren(...[
		panel(say('whichWhen'), ...advice.map(({ text }) => make('p', {}, text)), small(machine.description + (partial ? ' (partial)' : ''))),
		counts.length && panel(say('speed'), make('div', { class: 'columns' }, ...[...new Set([counts[0], counts.at(-1)])].map(chart))),
		rows.length && panel(say('properties'), small(Object.entries(signs).map(([name, sign]) => `${sign} ${say(name)}`).join(', ')), table(say('properties'), wirings.map(({ name }) => name), matrix)),
		counts.length && panel(say('speed'), table(say('speed'), [...counts.map((n) => say('observers', { n })), say('inStand')], wirings.map((wiring) =>
			row(wiring.name, [...counts.map((n) => costCell(costOf(wiring, n))), standCell(wiring.stand)], wiring.configuration ?? wiring.mechanism)))),
	].filter(Boolean));
}
