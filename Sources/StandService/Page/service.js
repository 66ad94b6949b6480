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

async function get(path, signal = leaving.signal) {
	const response = await fetch(api + path, { cache: 'no-store', signal });
	if (!response.ok) throw new Refusal(response.status, await response.json());
	return response.status === 204 ? null : response.json();
}

/** Makes a change once: retries have the same idempotency key. Gives up after four attempts. */
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
