// Creates and updates elements. Everything from the stand becomes text, never markup.

const byId = (id) => document.getElementById(id);

/** An element, `tag.class`, with listeners (`onclick`), attributes and children; a text child is text. */
function make(kind, attributes = {}, ...children) {
	const [tag, ...classes] = kind.split('.');
	const node = document.createElement(tag);
	node.classList.add(...classes);
	if (tag === 'button') node.type = 'button';
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith('on')) node[name] = value;
		else setAttribute(node, name === 'label' ? 'aria-label' : name, value);
	}
	node.append(...children);
	return node;
}

/** Sets the text of a node if it has changed. */
function setText(node, text) {
	if (node.shown !== text) node.textContent = node.shown = text;
}

const write = (id, text) => setText(byId(id), text);

/** Sets an attribute if it has changed; null removes it. */
function setAttribute(node, name, value) {
	if (node.getAttribute(name) === (value === null ? null : String(value))) return;
	if (value === null) node.removeAttribute(name);
	else node.setAttribute(name, value);
}

/** Updates the children of `list` to `items` by difference: children whose key stays are kept. */
function redrawList(list, items, keyOf, makeChild) {
	const old = list.byKey ?? new Map();
	list.byKey = new Map(items.map((item) => [keyOf(item), old.get(keyOf(item)) ?? makeChild(item)]));
	for (const [key, child] of old) if (!list.byKey.has(key)) child.remove();
	let place = list.firstElementChild;
	for (const child of list.byKey.values()) {
		if (child === place) place = place.nextElementSibling;
		else list.insertBefore(child, place);
	}
}

/** An input between two buttons that step by one. */
function makeSteps(label, input, step) {
	const button = (by, sign) => make('button', { label: `${label} ${sign}1`, onclick: () => step(by) }, sign);
	return make('span.stepper', {}, button(-1, '−'), input, button(1, '+'));
}

/** A number of at least one, between two buttons. */
function makeStepper(label, most, changed) {
	const set = (number) => {
		input.value = Math.min(Math.max(Math.round(number) || 1, 1), most);
		changed(Number(input.value));
	};
	const input = make('input', {
		type: 'number', inputmode: 'numeric', min: 1, max: most, value: 1, label,
		oninput: () => { if (input.value !== '' && input.validity.valid) changed(input.valueAsNumber); },
		onchange: () => set(input.valueAsNumber),
	});
	return makeSteps(label, input, (by) => set(input.valueAsNumber + by));
}

/** Gives the text of the language to all elements of the document that name one. */
function translatePage() {
	document.documentElement.lang = language;
	for (const node of document.querySelectorAll('[data-t]')) setText(node, capitalized(say(node.dataset.t)));
	for (const [name, attribute] of [['label', 'aria-label'], ['none', 'data-empty']]) {
		for (const node of document.querySelectorAll(`[data-${name}]`)) setAttribute(node, attribute, capitalized(say(node.dataset[name])));
	}
	write('language', say('other'));
	byId('language').lang = language === 'en' ? 'ko' : 'en';
}

byId('language').onclick = () => {
	language = byId('language').lang;
	localStorage.setItem('language', language);
	rebuild();
};

/** Fills a `select` with `[value, text]` and keeps the selection. */
function setChoices(select, choices) {
	const { value } = select;
	select.replaceChildren(...choices.map(([value, text]) => make('option', { value }, text)));
	select.value = value;
	if (select.selectedIndex < 0) select.selectedIndex = 0;
}

const small = (...children) => make('div.small', {}, ...children);
const makeTable = (title, heads, rows) => make('div.scroll', { tabindex: 0, role: 'region', label: title }, make('table.compared', {},
	make('thead', {}, make('tr', {}, ...[title, ...heads].map((text) => make('th', { scope: 'col' }, text)))), make('tbody', {}, ...rows)));
const makeRow = (title, cells, ...details) => make('tr', {}, make('th', { scope: 'row' }, title, ...details.map((text) => small(text))), ...cells);

/** A number with three digits. */
const rounded = (value) => formatted(value, { maximumSignificantDigits: 3 });

function shape(tag, attributes, ...children) {
	const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	node.append(...children);
	return node;
}

/** The glass of a juice, filled with its fruits in proportion. */
function makeGlass(recipe) {
	const total = recipe.reduce((sum, { pieces }) => sum + pieces, 0);
	const edge = (y) => 12 + (y - 14) * 0.13;
	let top = 24;
	const layers = recipe.map(({ fruit, pieces }) => {
		const [from, to] = [top, top += 50 * pieces / total];
		return shape('path', { fill: fruitNamed(fruit).colour ?? 'gray', d: `M${edge(from)} ${from}H${64 - edge(from)}L${64 - edge(to)} ${to}H${edge(to)}z` });
	});
	return shape('svg', { class: 'glass', viewBox: '0 0 64 80', 'aria-hidden': true }, ...layers,
		shape('path', { class: 'shine', d: 'M18 28l3 40h4l-2-40z' }), shape('path', { class: 'outline', d: 'M11 12h42l-8 63H19z' }), shape('path', { class: 'straw', d: 'M33 30L43 2h9' }));
}

/** A node in the colour of a fruit, as `--f` of its style. */
function inColour(node, name) {
	const { colour, labelColour } = fruitNamed(name);
	if (colour) for (const [key, value] of [['--f', colour], ['--on-f', labelColour]]) node.style.setProperty(key, value);
	return node;
}

/** Whether this browser has coloured emoji. */
const hasEmoji = (() => {
	const context = Object.assign(document.createElement('canvas'), { width: 20, height: 20 }).getContext('2d');
	context.font = '16px sans-serif';
	context.fillText('🍓', 0, 16);
	return context.getImageData(0, 0, 20, 20).data.some((value, place, data) => place % 4 === 0 && Math.abs(value - data[place + 1]) > 60);
})();

/** The picture of a fruit, or its first letter if the browser can't show that. */
function pictureText(name) {
	const fruit = fruitNamed(name);
	return (hasEmoji || !/\p{Emoji_Presentation}/u.test(fruit.picture) ? fruit.picture : called(fruit).charAt(0).toUpperCase()) ?? '';
}

/** The picture of a fruit on its colour. */
const picture = (name) => inColour(make('span.face', { 'aria-hidden': true }, pictureText(name)), name);
