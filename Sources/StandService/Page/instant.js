// The time bar: the range of the charts, and the instant that the live view shows.

/** The instant shown, as the ledger has it; null is now. It has the members of `stand` that the live view draws. */
let past = null;
/** The last instant asked for and not shown yet, and whether an instant is being fetched. */
let wanted = null;
let isFetching = false;

const ranges = [[600, 'tenMinutes'], [3600, 'hour'], [86400, 'day'], [Infinity, 'sinceOpening']];

/** The state that the live view draws. */
const shown = () => past ?? stand;

/** Shows an instant, `at=TIME` or `seq=NUMBER`. While one is fetched, only the last of several others is fetched next. */
async function goTo(place) {
	wanted = place;
	if (isFetching) return;
	isFetching = true;
	while (wanted) {
		const asked = wanted;
		try {
			const status = await get('status?' + asked);
			if (wanted) takeInstant(status);
			if (wanted === asked) wanted = null;
		} catch (refusal) {
			wanted = null;
			toast(whyRefused(refusal));
		}
	}
	isFetching = false;
}

const goToTime = (time) => goTo('at=' + Math.min(time, timeOfNow()).toFixed(3));

function takeInstant(status) {
	if (!past) axis.held = span();
	past = stateOf(status);
	const [from, to] = axis.held;
	// A step by event may leave the range of the charts.
	if (past.time < from || past.time > to) {
		axis.held = [past.time - (to - from) / 2, past.time + (to - from) / 2].map((time) => Math.max(0, time));
		fetchSamples();
	}
	redrawLive();
}

function goToNow() {
	[past, wanted, axis.held] = [null, null, null];
	zoomTo(null);
	redrawLive();
}

function redrawLive() {
	logDrawnAt = -Infinity;
	drawCharts();
	redrawSoon(0);
}

function stepEvent(by) {
	const number = shown().sequence + by;
	if (number < 0) return;
	if (number > stand.sequence) goToNow();
	else goTo('seq=' + number);
}

function rebuildTimeBar() {
	byId('ranges').replaceChildren(...ranges.map(([length, name]) => make('button', { onclick: () => {
		axis.held = past && [Math.max(0, past.time - length / 2), Math.min(timeOfNow(), past.time + length / 2)];
		zoomTo(null, length);
	}, 'data-length': length }, say(name))));
}

function drawTimeBar([from, to]) {
	const slider = byId('scrub');
	const time = past?.time ?? timeOfNow();
	for (const [name, value] of [['min', from], ['max', Math.min(to, timeOfNow())]]) setAttribute(slider, name, value.toFixed(3));
	if (!wanted) slider.value = time;
	setAttribute(slider, 'aria-valuetext', clock(time));
	write('instant', axis.cursor !== null ? reading : past ? say('asOf', { time: clock(past.time) }) : say('following'));
	byId('main').classList.toggle('past', past !== null);
	for (const button of byId('ranges').children) setAttribute(button, 'aria-pressed', !axis.zoom && axis.length === Number(button.dataset.length));
	setAttribute(byId('now'), 'disabled', past || axis.zoom ? null : '');
}

byId('scrub').oninput = () => goToTime(byId('scrub').valueAsNumber);
byId('scrub').onkeydown = (event) => {
	const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
	if (event.key === 'End') goToNow();
	else if (by) stepEvent(by);
	else return;
	event.preventDefault();
};
byId('back').onclick = () => stepEvent(-1);
byId('forth').onclick = () => stepEvent(1);
byId('now').onclick = goToNow;

/** Counts the questions for who is in the stand. Only the answer to the last one is taken. */
let peopleAsked = 0;
/** All facts since the request, also those that the log has dropped: the answer may be late. Null without a request. */
let factsSinceAsked = null;

/** Asks who is in the stand, and retries until there is an answer. Until then the picture shows numbers alone. */
async function fetchPeople() {
	const asked = ++peopleAsked;
	stand.people = null;
	let found = null;
	while (!found) {
		factsSinceAsked = [...facts];
		found = await get('status?at=now', AbortSignal.any([leaving.signal, AbortSignal.timeout(askingLimit)])).catch(() => null);
		if (!found) await seconds(1);
		// A page that is seen again asks anew.
		if (asked !== peopleAsked || document.hidden) return;
	}
	const { people, left, sequence } = stateOf(found);
	// Waits until the facts up to the answer have arrived, and those up to the status.
	while ((stand.sequence < sequence || lastArrived < stand.sequence) && asked === peopleAsked) await seconds(.05);
	if (asked !== peopleAsked) return;
	const later = factsSinceAsked.filter(({ seq }) => seq > sequence);
	factsSinceAsked = null;
	const state = { figures: {}, levels: {}, onOrder: {}, people, left };
	for (const fact of later) advance(state, fact);
	Object.assign(stand, { people, left });
	redrawSoon();
}
