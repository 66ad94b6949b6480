// Following the stand. Facts and the status come separately: facts wait until a status has them, a status waits until its facts are
// there, and the page takes both at once. So all that it shows belongs to one event.

let description = '';
/** The stream of facts. */
let source;
/** Facts that wait for a status that has them, oldest first, and the number of the last one that arrived. */
let arrived = [];
let lastArrived = 0;
/** The status that waits for its facts. */
let held = null;
/** Counts how often the page began to follow. Answers to requests of an earlier round are ignored. */
let round = 0;

/** Fetches the menu and the fruit; rebuilds the page if they have changed. */
async function fetchDescription() {
	const [menu, stock] = await Promise.all(['menu', 'stock'].map((path) => get(path)));
	const fruits = stock.stock.map(({ fruit, level, onOrder, ...rest }) => ({ name: fruit, ...rest }));
	const juices = menu.juices.map(({ juice, recipe, ...rest }) => ({ name: juice, recipe: Object.entries(recipe).map(([fruit, pieces]) => ({ fruit, pieces })), ...rest }));
	const found = JSON.stringify([fruits, juices]);
	if (found === description) return;
	Object.assign(stand, { fruits, juices, currency: menu.currency });
	// Before the first status, the rows of the page need levels.
	if (!stand.sequence) stand.levels = Object.fromEntries(stock.stock.map(({ fruit, level }) => [fruit, level]));
	rebuild();
	description = found;
}

/** Starts with the current figures, then follows all later facts, and some earlier ones for the log and the charts. */
async function begin() {
	const mine = ++round;
	source?.close();
	[arrived, held] = [[], null];
	for (;;) {
		try {
			await fetchDescription();
			const status = await get('status');
			if (mine !== round) return;
			if (status.sequence < stand.sequence) forget();
			anchor(status);
			takeStatus(status);
			takeHistory();
			askedStatusAt = performance.now();
			break;
		} catch {
			if (mine !== round) return;
			setConnected(false);
			await seconds(1);
		}
	}
	const first = Math.max(0, stand.sequence - mostFacts);
	// The log is emptied if there would be a gap in it.
	if (!(facts.at(-1)?.seq >= first)) facts.length = 0;
	lastArrived = facts.at(-1)?.seq ?? first;
	follow();
}

function follow() {
	source = new EventSource(api + 'events?after=' + lastArrived);
	const mine = source;
	source.onopen = () => {
		setConnected(true);
		askStatus();
	};
	source.onerror = async () => {
		setConnected(false);
		// Otherwise the browser reconnects by itself, with the number of the last fact.
		if (mine.readyState !== EventSource.CLOSED) return;
		await seconds(2);
		if (mine === source) follow();
	};
	source.onmessage = (message) => hear(JSON.parse(message.data));
	source.addEventListener('gap', (message) => hearGap(JSON.parse(message.data)));
}

/** Keeps a fact until a status has it. One that the page has already goes to the log and to the orders made here. */
function hear(fact) {
	if (fact.seq <= lastArrived) return;
	lastArrived = fact.seq;
	if (fact.seq <= stand.sequence) return remember(fact);
	arrived.push(fact);
	if (!takeHeld()) askSoon();
}

/** Some facts are no longer kept: the log shows that, except at the start. Or another stand answers, which has fewer facts. */
function hearGap({ after, first }) {
	if (first <= after) {
		toast(say('newStand'));
		forget();
		return begin();
	}
	if (facts.length) {
		const gap = { seq: first - 1, event: 'gap', at: timeOfNow(), n: count(first - after - 1) };
		arrived.push(gap);
		byId('toasts').querySelector('.gap')?.remove();
		toast(tell(gap), 'gap');
	}
	lastArrived = first - 1;
	askSoon();
}

/** Forgets everything of a stand, because another one answers. */
function forget() {
	facts.length = stand.sequence = stand.time = stand.told = 0;
	[arrived, held, samples, description] = [[], null, [], ''];
	goToNow();
	for (const order of kept.orders.filter(isOpen)) order.state = 'over';
}

// The status.

let [isAsking, isAskedSoon, askedStatusAt] = [false, false, -Infinity];
/** The least poll interval and the timeout for the status, in milliseconds. */
const [askingPause, askingLimit] = [250, 5000];

/** Asks for the status because facts have arrived. */
function askSoon() {
	if (isAsking || isAskedSoon || held || document.hidden) return;
	isAskedSoon = true;
	setTimeout(askStatus, Math.max(0, askedStatusAt + askingPause - performance.now()));
}

async function askStatus() {
	isAskedSoon = false;
	// A status that waits for its facts is not replaced by a later one, or the page would never reach one.
	if (isAsking || held && performance.now() - askedStatusAt < askingLimit) return;
	[isAsking, askedStatusAt] = [true, performance.now()];
	const mine = round;
	try {
		const status = await get('status', AbortSignal.any([leaving.signal, AbortSignal.timeout(askingLimit)]));
		if (mine === round) {
			held = status;
			anchor(status);
			takeHeld();
		}
	} catch {
		// Without an answer the facts alone tell what has happened; how many makers are busy is not known then.
		if (mine === round) {
			if (!applyFacts(Infinity)) takeHistory();
			stand.figures.busyMakers = null;
		}
	}
	isAsking = false;
	if (arrived.length) askSoon();
	redrawSoon();
}

/** Takes the status that waits, with its facts, if they are all there; false if it still waits or there is none. */
function takeHeld() {
	if (!held || held.sequence > Math.max(lastArrived, stand.sequence)) return false;
	const status = held;
	held = null;
	// The answer is late, or it is of another stand, which the stream will report.
	if (status.sequence < stand.sequence) return false;
	const isWhole = applyFacts(status.sequence);
	takeStatus(status);
	if (!isWhole) takeHistory();
	redrawSoon();
	return true;
}

/** Updates the page with the facts up to a number; false if some were missing between them. */
function applyFacts(last) {
	let place = 0;
	let isWhole = true;
	for (; place < arrived.length && arrived[place].seq <= last; place++) {
		const fact = arrived[place];
		isWhole &&= fact.seq === stand.sequence + 1 && fact.event !== 'gap';
		remember(fact);
		if (fact.event === 'gap') continue;
		apply(fact);
		if (fact.cause === 'edit') hearEdit(fact);
		if (fact.event === 'configurationChanged') fetchDescription().catch(() => {});
	}
	arrived.splice(0, place);
	return isWhole && (last === stand.sequence || last === Infinity);
}

/** Takes over a status, which belongs to the event that the page has reached. */
function takeStatus(status) {
	// `anchor` has taken these three when the answer arrived.
	const { time, speed, behind, ...rest } = status;
	Object.assign(stand, rest, { name: status.stand, told: time, levels: status.stock, figures: { ...status, ...status.lost } });
}

/** Fetches what missing facts would have told: who is in the stand, and the samples of the charts. */
function takeHistory() {
	stand.since = stand.told;
	recommendedAt = -Infinity;
	fetchPeople();
	fetchSamples();
	redrawSoon();
}

/** Sets the clock. Answers take different times on their way, so the clock does not go back for a small difference. */
function anchor({ time, speed, phase, behind }) {
	const shown = timeOfNow();
	const isSteady = speed === stand.speed && phase === stand.phase && Math.abs(time - shown) < speed;
	Object.assign(stand, { speed, behind });
	setTime(isSteady && !isBehind() ? Math.max(time, shown) : time);
}

function setConnected(connected) {
	if (connected === isConnected) return;
	setTime(timeOfNow());
	isConnected = connected;
	redrawSoon(0);
}

// A hidden page does not follow the stand.
document.onvisibilitychange = () => {
	if (!document.hidden) return begin().then(reviewOrders);
	round++;
	source?.close();
};
