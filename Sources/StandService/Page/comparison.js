// The comparison of wirings. Only the page of a stand that was given one loads this; a report is this file with the comparison in it.

const texts = {
	en: {
		holds: 'holds', holdsNot: 'does not hold', unknown: 'unknown', inapplicable: 'does not apply', speed: 'Nanoseconds per notification', observers: 'observers: {n}',
		verdict: 'A notification takes {least} ns by {quick} and {most} ns by {slow}, {times} times as long ({observers}).', logarithmic: 'Lengths are logarithmic.', inStand: 'In the stand', ordersPerSecond: '{n} orders/s', properties: 'Properties',
		whichWhen: 'Which to choose when',
	},
	ko: {
		holds: '충족', holdsNot: '미충족', unknown: '알 수 없음', inapplicable: '해당 없음', speed: '알림당 나노초', observers: '관찰자 {n}개',
		verdict: '알림 하나에 {quick} {least} ns, {slow} {most} ns, {times}배 차이예요 ({observers}).', logarithmic: '길이는 로그 눈금이에요.', inStand: '가게 전체', ordersPerSecond: '초당 주문 {n}', properties: '성질',
		whichWhen: '언제 무엇을 고를까',
	},
};

export function drawComparison(comparison) {
	const { wirings, machine, rows = [], advice = [], partial } = comparison;
	const phrase = (name, values) => say(name, values, texts[language]);
	const counts = [...new Set(wirings.flatMap(({ speed }) => speed.map(({ observers }) => observers)))].sort((a, b) => a - b);
	const nanoseconds = ({ speed }, count) => speed.find(({ observers }) => observers === count)?.nanosecondsPerNotification.median;
	const panel = (title, ...children) => make('section.panel', {}, make('h2', {}, title), ...children);
	const cell = (value, ...details) => make('td', {}, make('strong', {}, value), ...details.map((text) => small(text)));
	const measured = wirings.filter((wiring) => nanoseconds(wiring, counts[0])).sort((a, b) => nanoseconds(a, counts[0]) - nanoseconds(b, counts[0]));
	const ends = [measured[0], measured.at(-1)].map((wiring) => wiring && { name: wiring.name, time: nanoseconds(wiring, counts[0]) });

	/** The sentence with which the screen opens. */
	const sentence = () => make('p.lead', {}, phrase('verdict', {
		observers: phrase('observers', { n: counts[0] }), quick: ends[0].name, least: rounded(ends[0].time), slow: ends[1].name, most: rounded(ends[1].time), times: rounded(ends[1].time / ends[0].time),
	}));

	/** Lengths are logarithmic: the slowest wiring takes a thousand times as long as the quickest. */
	const bar = (wiring, count) => {
		const value = nanoseconds(wiring, count);
		if (!value) return cell('–');
		const max = Math.log2(Math.max(...wirings.flatMap((other) => counts.map((count) => nanoseconds(other, count) ?? 0))) + 1);
		return make('td', {}, make('strong', {}, rounded(value)), make('meter', { max, value: Math.log2(value + 1), label: `${wiring.name}, ${phrase('observers', { n: count })}` }));
	};
	const standCell = ({ ordersPerSecond, deliveryLatency, why = '' } = {}) => ordersPerSecond
		? cell(phrase('ordersPerSecond', { n: rounded(ordersPerSecond.median) }), ...['p50', 'p99'].map((name) => `${name} ${rounded(deliveryLatency?.[name] && deliveryLatency[name] * 1e6)} µs`))
		: cell('–', why);

	/** A finding as a sign; its evidence opens on click. */
	const signs = { holds: '✓', holdsNot: '✗', unknown: '?', inapplicable: '–' };
	const finding = ({ holds = null, applies = true, evidence = '–', price } = {}) => {
		const name = applies ? { true: 'holds', false: 'holdsNot', null: 'unknown' }[holds] : 'inapplicable';
		return make('td', { class: name }, make('details', {}, make('summary', { label: phrase(name) }, signs[name]), evidence, price ? ` (${rounded(price.median ?? price)} ns)` : ''));
	};
	const matrix = [...new Set(rows.map(({ group }) => group))].flatMap((group) => [
		make('tr', {}, make('th', { scope: 'rowgroup', colspan: wirings.length + 1, class: 'group' }, group)),
		...rows.filter((row) => row.group === group).map(({ name, title }) => makeRow(title, wirings.map(({ properties }) => finding(properties[name])))),
	]);

	byId('comparison').replaceChildren(...[
		counts.length && panel(phrase('speed'), measured.length > 1 ? sentence() : '', makeTable(phrase('speed'), [...counts.map((n) => phrase('observers', { n })), phrase('inStand')],
			[...measured, ...wirings.filter((wiring) => !measured.includes(wiring))].map((wiring) => makeRow(wiring.name, [...counts.map((n) => bar(wiring, n)), standCell(wiring.stand)], wiring.configuration ?? wiring.mechanism))),
			small(phrase('logarithmic'), ' ', machine.description, partial ? ' (partial)' : '')),
		advice.length && panel(phrase('whichWhen'), ...advice.map(({ text }) => make('p', {}, text))),
		rows.length && panel(phrase('properties'), small(Object.entries(signs).map(([name, sign]) => `${sign} ${phrase(name)}`).join(', ')), makeTable(phrase('properties'), wirings.map(({ name }) => name), matrix)),
	].filter(Boolean));
}
