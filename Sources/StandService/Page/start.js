// The frame of the page: tabs, language, dialogs, messages and drawing.

const tabs = ['scene', 'order', 'live'];
let tab;

function showTab(name) {
	tab = name;
	for (const other of tabs) {
		const button = byId('tab-' + other);
		setAttribute(button, 'aria-selected', other === name);
		setAttribute(button, 'tabindex', other === name ? 0 : -1);
		byId(other).hidden = other !== name;
	}
	byId('timebar').hidden = name === 'order';
	[logDrawnAt, drawnSequence] = [-Infinity, -1];
	redrawSoon(0);
	drawCharts();
}

for (const name of tabs) {
	byId('tab-' + name).onclick = () => showTab(name);
	byId('tab-' + name).onkeydown = (event) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!step) return;
		showTab(tabs.at((tabs.indexOf(name) + step) % tabs.length));
		byId('tab-' + tab).focus();
	};
}

/** Rebuilds all texts, for another language or menu. */
function rebuild() {
	translatePage();
	byId('log-filter').placeholder = say('filter');
	byId('logo').replaceChildren(makeGlass(stand.juices.at(-1)?.recipe ?? []));
	rebuildOrderScreen();
	rebuildLiveView();
	colours = null;
	drawWiring();
	drawnSequence = -1;
	drawCharts();
	redrawSoon(0);
}

// Messages and questions.

function toast(text, kind = '') {
	const node = make('p', { class: kind }, text);
	byId('toasts').append(node);
	setTimeout(() => node.remove(), 8000);
}

/** Asks in a dialog. Each answer is a text and an action; the last one is the default. */
function ask(title, text, answers, extra = []) {
	const dialog = byId('question');
	write('question-title', title);
	write('question-words', text);
	byId('question-extra').replaceChildren(...extra);
	byId('question-actions').replaceChildren(...answers.map(([name, act]) => make('button', {
		onclick: () => {
			dialog.close();
			act?.();
		},
	}, name)));
	if (!dialog.open) dialog.showModal();
	const likeliest = byId('question-actions').lastChild;
	likeliest.className = 'main';
	(dialog.querySelector('input') ?? likeliest).focus();
}

/** Shows why a change was refused; asks for the token if it is missing. */
function explain(refusal) {
	if (refusal.status !== 401) return ask(say('failed'), whyRefused(refusal), [[say('fine')]]);
	const input = make('input', { type: 'password', autocomplete: 'off', id: 'token', 'aria-labelledby': 'question-title' });
	ask(say('token'), say('whereToken'), [[say('close')], [say('fine'), () => { setToken(input.value.trim()); redrawSoon(0); }]], [input]);
}

byId('stock-button').onclick = () => openStock();
byId('stock-close').onclick = closeStock;
byId('stock-discard').onclick = discardStock;
byId('stock').onclose = () => { edit = null; };
byId('stock').onkeydown = (event) => {
	if (event.key !== 'Escape' || !changesOfStock().length) return;
	event.preventDefault();
	ask(say('discardChanges'), '', [[say('discard'), discardStock], [say('goOnEditing')]]);
};

// Drawing.

let isDrawingDue = false;
let timer;
let drawnAt = -Infinity;
/** The number of the event that is drawn. */
let drawnSequence = 0;
let pause = 100;

/** Draws what has changed while the page can be seen: ten times a second at most, and less often the longer it takes, so that
 * a busy stand does not make a busy browser. What a user does is drawn at once, with a `wait` of 0. */
function redrawSoon(wait) {
	if (isDrawingDue && wait !== 0 || document.hidden) return;
	isDrawingDue = true;
	clearTimeout(timer);
	timer = setTimeout(() => requestAnimationFrame((now) => {
		isDrawingDue = false;
		drawnAt = now;
		draw(now);
		// After layout and painting.
		setTimeout(() => { pause = Math.min(Math.max(100, (performance.now() - now) * 100), 1000); });
	}), wait ?? drawnAt + pause - performance.now());
}

/** Draws everything if the page has reached another event than the one that is drawn, so that no part is ahead; true if it did. */
function catchUp() {
	if (drawnSequence === shown().sequence) return false;
	draw(performance.now());
	return true;
}

function draw(now) {
	drawnSequence = shown().sequence;
	write('name', stand.name);
	if (document.title !== stand.name) document.title = stand.name;
	// A closed stand has ended: it is not expected back.
	const state = stand.phase === 'closed' ? 'closed' : !isConnected ? stand.sequence ? 'away' : 'connecting' : stand.phase === 'open' ? 'live' : stand.phase;
	write('state', say({ closed: 'closedAt', away: 'awaySince' }[state] ?? state, { time: clock(stand.time) }));
	byId('closing').hidden = state !== 'closed';
	if (state === 'closed') {
		const { figures } = stand;
		const why = reasonsOf(figures);
		write('closing', say('closing', { served: count(figures.served), orders: count(figures.orders), share: shareServed(figures), lost: count(lost(figures)), reasons: why && ` (${why})`, alerts: count(figures.lowStockAlerts) }));
	}
	byId('state').className = state;
	write('clock', clock(timeOfNow()));
	write('sequence', count(shown().sequence));
	if (tab === 'order') drawOrderScreen();
	if (tab === 'scene') drawScene();
	if (tab === 'live') drawLiveView(now);
	drawControls();
	drawStock();
}

for (const node of document.querySelectorAll('[id^=filter-], [id^=log-]')) {
	node.oninput = () => {
		logDrawnAt = -Infinity;
		redrawSoon(0);
	};
}
setInterval(() => {
	if (document.hidden) return;
	redrawSoon();
	askStatus();
	drawCharts();
	if (tab === 'live') {
		fetchForecast();
		fetchWiring();
	}
}, 1000);

rebuild();
showTab(matchMedia('(min-width: 60rem)').matches ? 'scene' : 'order');
begin().then(reviewOrders);
