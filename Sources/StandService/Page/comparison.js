// The comparison of wirings, where the stand was given one.

let comparison = null;

async function fetchComparison() {
	comparison = (await get('comparison').catch(() => null))?.body ?? null;
	element('tab-comparison').hidden = !comparison;
	drawComparison();
}

function drawComparison() {
	if (!comparison) return;
	const { wirings, machine } = comparison;
	const distinct = (list) => [...new Set(list)];
	const counts = distinct(wirings.flatMap(({ speed }) => speed.map(({ observers }) => observers))).sort((a, b) => a - b);
	const head = (texts) => make('thead', {}, make('tr', {}, ...texts.map((text) => make('th', { scope: 'col' }, text))));
	const row = (title, cells, detail = '') => make('tr', {}, make('th', { scope: 'row' }, title, make('div', { class: 'small' }, detail)), ...cells);
	const table = (title, titles, rows) => make('section', { class: 'panel' }, make('h2', {}, title), make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title },
		make('table', { class: 'compared' }, head(titles), make('tbody', {}, ...rows))));
	const number = (value) => (value?.median ?? value)?.toLocaleString(language, { maximumSignificantDigits: 3 }) ?? '–';
	const cell = (value, ...details) => make('td', {}, make('strong', {}, value), ...details.map((detail) => make('div', { class: 'small' }, detail)));

	const speedCell = (speed) => {
		if (!speed) return cell('–');
		const { median, min, max } = speed.nanosecondsPerNotification;
		return cell(number(median), `${number(min)}–${number(max)}`, `${number(speed.ratioToDirect)} ${say('times')}`, `${number(speed.allocationsPerNotification)} ${say('allocations')}`);
	};
	const standCell = (found) => {
		if (!found?.ordersPerSecond) return cell('–', found?.why ?? '');
		const latency = Object.entries(found.deliveryLatency ?? {}).map(([name, value]) => `${name} ${number(value && value * 1e6)} µs`);
		return cell(number(found.ordersPerSecond) + ' ' + say('perSecond'), ...latency);
	};
	const propertyCell = ({ holds = null, evidence = '–' } = {}) => {
		const [sign, name] = { true: ['✓', 'holds'], false: ['✗', 'holdsNot'], null: ['–', 'unknown'] }[holds];
		return make('td', { class: name }, make('details', {}, make('summary', { 'aria-label': say(name) }, sign), evidence));
	};

	element('comparison').replaceChildren(
		make('p', { class: 'small' }, Object.entries(machine).map(([name, value]) => `${name}: ${typeof value === 'number' ? number(value) : value}`).join(' · ')),
		table(say('speed'), ['', ...counts.map((n) => say('observers', { n })), say('inStand')], wirings.map(({ name, mechanism, speed, stand }) =>
			row(name, [...counts.map((n) => speedCell(speed.find(({ observers }) => observers === n))), standCell(stand)], mechanism))),
		table(say('properties'), ['', ...wirings.map(({ name }) => name)], distinct(wirings.flatMap(({ properties }) => Object.keys(properties))).map((property) =>
			row(property.replace(/[A-Z]/g, (letter) => ' ' + letter.toLowerCase()), wirings.map(({ properties }) => propertyCell(properties[property]))))));
}
