// The state of the stand on this page: the status at the start, updated by every fact.

const stand = {
	name: 'Juice stand', opens: '1970-01-01T00:00:00', currency: '', juices: [], fruits: [], phase: 'open', makers: 0, places: null, rate: 1,
	/** The sequence number of the last fact in the figures. */
	sequence: 0,
	/** Stand time at `heardAt`, and its speed. */
	time: 0, heardAt: 0, speed: 1,
	/** Stand seconds that it is late, and the share of events that came late in the last minute. */
	behind: { seconds: 0, share: 0 },
	/** The stand time of the last change of figures and levels. */
	since: 0,
	/** The latest stand time that the stand itself has reported. */
	told: 0,
	figures: {},
	/** Pieces by the name of the fruit; null without limit. */
	levels: {},
	onOrder: {},
	/** The orders in the stand by number, null until they are known, and the latest that left. */
	people: null, left: [],
	/** The latest low levels and recoveries, oldest first. */
	alerts: [],
};

/** The latest facts up to those in the figures, newest last. */
const facts = [];
const mostFacts = 1000;

const juiceNamed = (name) => stand.juices.find((juice) => juice.name === name) ?? { name, recipe: [] };
const fruitNamed = (name) => stand.fruits.find((fruit) => fruit.name === name) ?? { name };

const levelText = (pieces) => pieces === null ? say('unlimited') : count(pieces);

/** Whether a fruit is at its low mark or below. */
function isLow(fruit, pieces) {
	const { lowStock } = fruitNamed(fruit);
	return lowStock != null && pieces !== null && pieces <= lowStock;
}

/** A number, and the limit if there is one. */
const ofLimit = (number, limit) => count(number) + (limit == null ? '' : ' / ' + count(limit));

/** The cups that the stock allows. */
function cupsOf(juice) {
	return Math.min(...juice.recipe.map(({ fruit, pieces }) => stand.levels[fruit] === null ? Infinity : Math.floor(stand.levels[fruit] / pieces)));
}

/** The similarity of two recipes: the smaller quantities divided by the larger ones. */
function similarity(one, other) {
	const pieces = (juice, name) => juice.recipe.find(({ fruit }) => fruit === name)?.pieces ?? 0;
	const sum = (choose) => stand.fruits.reduce((sum, { name }) => sum + choose(pieces(one, name), pieces(other, name)), 0);
	return sum(Math.min) / sum(Math.max);
}

/** Whether the stand is late by more than half a second of real time. */
const isBehind = () => stand.behind.seconds > stand.speed / 2;

/** The stand time that it has reached. */
function timeOfNow() {
	return stand.time + (stand.phase === 'open' && isConnected && !isBehind() ? (performance.now() - stand.heardAt) / 1000 * stand.speed : 0);
}

function setTime(time) {
	stand.time = time;
	stand.heardAt = performance.now();
}

/** The customers lost. `reasons` is the program's own table of why customers are lost, as `words` is of texts. */
const lost = (figures) => reasons.reduce((sum, { name }) => sum + figures[name], 0);

/** Updates the figures with a fact. */
function apply(fact) {
	if (fact.at > stand.since && !(fact.at - samples.at(-1)?.time < sampleStep())) takeSample();
	stand.since = stand.told = fact.at;
	if (fact.at > timeOfNow()) setTime(fact.at);
	advance(stand, fact);
	switch (fact.event) {
		case 'lowStock': stand.figures.lowStockAlerts++; break;
		case 'rateChanged': stand.rate = fact.factor; break;
		case 'paused': case 'closed':
			stand.phase = fact.event;
			setTime(fact.at);
			break;
		case 'resumed': stand.phase = 'open'; break;
	}
}

/** Keeps a fact for the log, and tells the orders made here of it. */
function remember(fact) {
	facts.push(fact);
	factsSinceAsked?.push(fact);
	if (facts.length > mostFacts * 1.5) facts.splice(0, facts.length - mostFacts);
	hearOrder(fact);
}

/** A fact as a sentence. */
function tell(fact) {
	if (fact.event === 'gap') return say('gap', fact);
	const { event, by, cause, reason } = words[language];
	const values = Object.fromEntries(Object.entries(fact).map(([key, value]) => [key, typeof value === 'number' ? count(value) : value]));
	for (const key of ['juice', 'wished']) if (key in fact) values[key] = called(juiceNamed(fact[key]));
	if ('fruit' in fact) values.fruit = called(fruitNamed(fact.fruit));
	for (const key of ['wait', 'stay']) if (key in fact) values[key] = spell(fact[key]);
	if ('factor' in fact) values.factor = '× ' + values.factor;
	if ('refused' in fact) values.refused = say('refused', values);
	if ('reason' in fact) values.reason = reason[fact.reason];
	if ('reason' in fact && 'fruit' in fact) values.reason = say('lostFor', values);
	values.by = by[fact.by];
	if ('cause' in fact) values.cause = say(fact.cause, values, cause);
	return capitalized(say(fact.event, values, event));
}
