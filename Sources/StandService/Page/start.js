// The frame of the page: tabs, language, dialogs, messages and drawing.

const tabs = ['order', 'live', 'comparison'];
let tab;

function showTab(name) {
	tab = name;
	for (const other of tabs) {
		const button = element('tab-' + other);
		setAttribute(button, 'aria-selected', other === name);
		setAttribute(button, 'tabindex', other === name ? 0 : -1);
		element(other).hidden = other !== name;
	}
	logDrawnAt = -Infinity;
	redrawSoon(0);
	drawCharts();
}

for (const name of tabs) {
	element('tab-' + name).onclick = () => showTab(name);
	element('tab-' + name).onkeydown = (event) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!step) return;
		const shown = tabs.filter((other) => !element('tab-' + other).hidden);
		showTab(shown.at((shown.indexOf(name) + step) % shown.length));
		element('tab-' + tab).focus();
	};
}

/** Rebuilds all texts, for another language or menu. */
function rebuild() {
	document.documentElement.lang = language;
	for (const node of document.querySelectorAll('[data-t]')) setText(node, say(node.dataset.t));
	for (const [name, attribute] of [['label', 'aria-label'], ['none', 'data-empty']]) {
		for (const node of document.querySelectorAll(`[data-${name}]`)) setAttribute(node, attribute, say(node.dataset[name]));
	}
	element('log-filter').placeholder = say('filter');
	setText(element('language'), say('other'));
	element('language').lang = language === 'en' ? 'ko' : 'en';
	element('logo').replaceChildren(makeGlass(stand.juices.at(-1)?.recipe ?? []));
	rebuildOrderScreen();
	rebuildLiveView();
	drawComparison();
	drawCharts();
	redrawSoon(0);
}

element('language').onclick = () => {
	language = element('language').lang;
	localStorage.setItem('language', language);
	rebuild();
};

// Messages and questions.

function toast(text, kind = '') {
	const node = make('p', { class: kind }, text);
	element('toasts').append(node);
	setTimeout(() => node.remove(), 8000);
}

/** Asks in a dialog. Each answer is a text and an action; the last one is the default. */
function ask(title, text, answers, extra = []) {
	const dialog = element('question');
	setText(element('question-title'), title);
	setText(element('question-words'), text);
	element('question-extra').replaceChildren(...extra);
	element('question-actions').replaceChildren(...answers.map(([name, act]) => make('button', {
		onclick: () => {
			dialog.close();
			act?.();
		},
	}, name)));
	if (!dialog.open) dialog.showModal();
	const likeliest = element('question-actions').lastChild;
	likeliest.className = 'main';
	(dialog.querySelector('input') ?? likeliest).focus();
}

/** Shows why a change was refused; asks for the token if it is missing. */
function explain(refusal) {
	if (refusal.status !== 401) return ask(say('failed'), refusal.message, [[say('fine')]]);
	const input = make('input', { type: 'password', autocomplete: 'off', id: 'token', 'aria-labelledby': 'question-title' });
	ask(say('token'), say('whereToken'), [[say('close')], [say('fine'), () => { setToken(input.value.trim()); redrawSoon(0); }]], [input]);
}

element('stock-button').onclick = () => openStock();
element('stock-close').onclick = closeStock;
element('stock-discard').onclick = discardStock;
element('stock').onclose = () => { edit = null; };
element('stock').onkeydown = (event) => {
	if (event.key !== 'Escape' || !changesOfStock().length) return;
	event.preventDefault();
	ask(say('discardChanges'), '', [[say('discard'), discardStock], [say('goOnEditing')]]);
};

// Drawing.

let isDrawingDue = false;
let timer;
let drawnAt = -Infinity;
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

function draw(now) {
	setText(element('name'), stand.name);
	if (document.title !== stand.name) document.title = stand.name;
	const state = !isConnected ? 'connecting' : stand.phase === 'open' ? 'live' : stand.phase;
	setText(element('state'), say(state));
	element('state').className = state;
	setText(element('clock'), clock(timeOfNow()));
	if (tab === 'order') drawOrderScreen();
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
document.onvisibilitychange = () => redrawSoon();
setInterval(() => {
	takeSample();
	redrawSoon();
	if (tab !== 'live' || document.hidden) return;
	drawCharts();
	fetchForecast();
	if (isConnected) refreshStatus().catch(() => {});
}, 1000);

rebuild();
showTab('order');
begin().then(() => {
	reviewOrders();
	fetchComparison();
});
