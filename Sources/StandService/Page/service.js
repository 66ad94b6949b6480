// Requests to the stand and the stream of its facts.

const api = '/api/v1/';

// The token comes in the link's fragment, which no server sees. The browser keeps it for this tab, also when the page is loaded again.
let token = null;
setToken(new URLSearchParams(location.hash.slice(1)).get('token') ?? sessionStorage.getItem('token'));
if (location.hash) history.replaceState(null, '', location.pathname);

function setToken(text) {
	token = text || null;
	if (token) sessionStorage.setItem('token', token);
	else sessionStorage.removeItem('token');
}

let isConnected = false;
/** Facts that arrived while the figures were fetched; null if none are being fetched. */
let waitingFacts = null;

const seconds = (time) => new Promise((done) => setTimeout(done, time * 1000));

/** A refusal: the status and the problem document. */
class Refusal extends Error {
	constructor(status, problem) {
		super(problem.detail);
		Object.assign(this, { status, problem });
	}
}

/** Why a request failed: in English the stand's own sentence. */
function whyRefused(refusal) {
	if (!(refusal instanceof Refusal)) return say('unreachable');
	const { type, ...values } = refusal.problem;
	if (language === 'en' || !type) return refusal.message;
	const texts = words[language].problem;
	const kind = type.split(':').at(-1);
	const said = Object.entries(values).map(([key, value]) => [key, typeof value === 'number' ? count(value) : key === 'fruit' ? called(fruitNamed(value)) : value]);
	return say(kind in texts ? kind : 'other', Object.fromEntries(said), texts);
}

const leaving = new AbortController();

/** Ends all requests when the page is left: a browser keeps the page for going back, and would keep its few connections, too. */
addEventListener('pagehide', () => {
	leaving.abort();
	source?.close();
});
addEventListener('pageshow', ({ persisted }) => {
	if (persisted) location.reload();
});

async function get(path) {
	const response = await fetch(api + path, { cache: 'no-store', signal: leaving.signal });
	if (!response.ok) throw new Refusal(response.status, await response.json());
	return { body: response.status === 204 ? null : await response.json() };
}

/** Makes a change once, however often the request is repeated. */
async function change(path, body, fields = {}, method = 'POST') {
	if (!token) throw new Refusal(401, { detail: say('token') });
	const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
	const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'idempotency-key': key, ...fields };
	for (let attempt = 1; ; attempt++) {
		const response = await fetch(api + path, { method, body: body && JSON.stringify(body), headers }).catch(() => null);
		if (!response && attempt === 4) throw new Refusal(0, { detail: say('unreachable') });
		if (response?.ok) return response.json();
		if (response) throw new Refusal(response.status, await response.json());
		await seconds(attempt / 2);
	}
}

// Following.

let description = '';
/** The stream of facts. */
let source;

/** Fetches menu, fruit and figures; retries until that succeeds. */
async function fetchFigures() {
	for (;;) {
		try {
			const [menu, stock, status] = await Promise.all(['menu', 'stock', 'status'].map(get));
			const fruits = stock.body.stock.map(({ fruit, names, colour, labelColour, picture, lowStock, reorderPoint, capacity }) => ({ name: fruit, names, colour, labelColour, picture, lowStock, reorderPoint, capacity }));
			const juices = menu.body.juices.map(({ juice, recipe, ...rest }) => ({ name: juice, recipe: Object.entries(recipe).map(([fruit, pieces]) => ({ fruit, pieces })), ...rest }));
			const found = JSON.stringify([fruits, juices]);
			if (found !== description) {
				Object.assign(stand, { fruits, juices, currency: menu.body.currency });
				rebuild();
				description = found;
			}
			// The stream may never have been interrupted.
			if (source?.readyState === EventSource.OPEN) setConnected(true);
			return status.body;
		} catch {
			setConnected(false);
			await seconds(1);
		}
	}
}

/** Starts with the current figures, then follows all later facts, and some earlier ones for the log and the charts. */
async function begin() {
	takeStatus(await fetchFigures());
	lastFact = Math.max(0, stand.sequence - mostFacts);
	follow();
}

function follow() {
	source = new EventSource(api + 'events?after=' + lastFact);
	source.onopen = () => synchronize();
	source.onerror = async () => {
		setConnected(false);
		// Otherwise the browser reconnects by itself, with the number of the last fact.
		if (source.readyState !== EventSource.CLOSED) return;
		await seconds(2);
		follow();
	};
	source.onmessage = (message) => hear(JSON.parse(message.data));
	source.addEventListener('gap', (message) => hearGap(JSON.parse(message.data)));
}

/** Handles a fact. The next one updates the figures; one that they contain already only goes to the log and the orders made
 * here; after a gap the figures are fetched again. */
function hear(fact) {
	if (waitingFacts) return waitingFacts.push(fact);
	if (remember(fact)) hearOrder(fact);
	if (fact.seq <= stand.sequence) return;
	if (fact.seq > stand.sequence + 1) return synchronize(fact);
	apply(fact);
	if (fact.cause === 'edit') hearEdit(fact);
	if (fact.event === 'configurationChanged') synchronize();
	redrawSoon();
}

/** Whether another stand answers than before. */
let isAnother = false;

/** Some facts are no longer kept: the log shows that, except at the start. Or another stand answers, which has fewer facts. */
function hearGap({ after, first }) {
	const gap = { seq: first - 1, event: 'gap', at: timeOfNow(), n: count(first - after - 1) };
	if (first <= after) isAnother = true;
	else if (facts.length && remember(gap)) toast(tell(gap));
	synchronize();
}

/** After connecting or a gap, holds facts back until the figures match them. */
async function synchronize(...waiting) {
	if (waitingFacts) return;
	waitingFacts = waiting;
	for (;;) {
		const status = await fetchFigures();
		if (isAnother) {
			toast(say('newStand'));
			facts.length = lastFact = 0;
			samples = [];
			goToNow();
			rebuild();
			for (const order of kept.orders.filter(isOpen)) order.state = 'over';
		}
		if (isAnother || status.sequence > stand.sequence) takeStatus(status);
		isAnother = false;
		const next = waitingFacts.find((fact) => fact.seq > stand.sequence);
		if (!next || next.seq === stand.sequence + 1) break;
		await seconds(0.25);
	}
	const waited = waitingFacts;
	waitingFacts = null;
	waited.forEach(hear);
	redrawSoon();
}

function takeStatus(status) {
	Object.assign(stand, status, { name: status.stand, levels: status.stock, figures: { ...status, ...status.lost }, since: status.time });
	setTime(status.time);
	recommendedAt = -Infinity;
	fetchPeople();
	fetchSamples();
	redrawSoon();
}

/** No fact reports the later cups of an order, which keep makers busy too, nor waits and revenue. The stand keeps the alerts. */
async function refreshStatus() {
	const { busyMakers, waits, revenue, makers, rate, time, speed, behind, alerts } = (await get('status')).body;
	Object.assign(stand.figures, { busyMakers, waits, revenue });
	Object.assign(stand, { makers, rate, speed, behind, alerts });
	if (isBehind()) setTime(time);
	redrawSoon();
}

function setConnected(connected) {
	if (connected === isConnected) return;
	setTime(timeOfNow());
	isConnected = connected;
	redrawSoon(0);
}
