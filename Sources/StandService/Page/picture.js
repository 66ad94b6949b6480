// The picture of a scene: where everything stands, and its drawing on a canvas.

/** What is drawn of each kind, at most; numbers tell of the rest. */
const mostDrawn = { line: 30, making: 60, served: 10, lost: 5 };
/** How long those who leave are seen, in real seconds, and how fast people walk, in pixels a second. */
const [seenFor, pace] = [1.5, 160];
const cell = { piece: 19, shelf: 150, making: 92, guest: 38, lost: 150, rows: 4 };

/** Where everything in a scene stands on a picture of that width. */
function placesOf({ shelf, line, making, left }, width) {
	let y = 0;
	const titles = {};
	/** Places side by side, in as many rows as they need, under a title. */
	const rows = (name, list, size, height) => {
		titles[name] = y + 16;
		const across = Math.max(1, Math.floor(width / size));
		const found = list.map((one, place) => ({ ...one, x: place % across * size, y: y + 26 + Math.floor(place / across) * height }));
		y += 34 + Math.max(1, Math.ceil(list.length / across)) * height;
		return found;
	};
	const columns = Math.min(Math.max(1, Math.floor(width / cell.shelf)), shelf.length || 1);
	const across = Math.floor((width / columns - 20) / cell.piece);
	const boxes = rows('shelf', shelf, width / columns, cell.rows * cell.piece + 62)
		.map((box) => ({ ...box, width: width / columns - 12, across, drawn: Math.min(box.pieces ?? Infinity, across * cell.rows) }));
	/** A number stands for those for whom the picture has no room. */
	const more = [];
	const people = (name, kind, list, size, height) => {
		const found = list.slice(0, mostDrawn[name]).map((order) => ({ kind, ...order }));
		const number = list.length - found.length;
		const placed = rows(name, number ? [...found, { number }] : found, size, height);
		if (number) more.push(placed.pop());
		return placed;
	};
	const makers = people('making', 'maker', making, cell.making, 82);
	const start = y + 26;
	const guests = people('line', 'guest', line, cell.guest, 70);
	// They go to the right: what is left of the picture belongs to their numbers.
	const out = (name, size) => {
		[titles[name], y] = [y + 20, y + 68];
		const most = Math.min(mostDrawn[name], Math.max(1, Math.floor((width - 300) / size)));
		return left.filter(({ reason }) => (name === 'lost') === (reason !== undefined)).slice(-most)
			.map((order, place) => ({ kind: name, ...order, x: width - (place + 1) * size, y: y - 68 }));
	};
	const leavers = [...out('served', cell.guest), ...out('lost', cell.lost)];
	return { boxes, titles, more, people: [...makers, ...guests, ...leavers], line: start, height: y };
}

/** Pictures of people and pieces, by what they show. They are drawn anew in another theme. */
let sprites = new Map();
let colours;

matchMedia('(prefers-color-scheme: dark)').onchange = () => {
	colours = null;
	drawScene();
};
new ResizeObserver(() => drawScene()).observe(byId('picture').parentElement);

function readColours() {
	const style = getComputedStyle(document.documentElement);
	colours = Object.fromEntries(['card', 'ink', 'soft', 'line', 'accent', 'second', 'good', 'bad', 'tint'].map((name) => [name, style.getPropertyValue('--' + name)]));
	sprites = new Map();
}

function sprite(key, width, height, paint) {
	if (!sprites.has(key)) {
		const canvas = new OffscreenCanvas(Math.ceil(width * devicePixelRatio), Math.ceil(height * devicePixelRatio));
		const context = canvas.getContext('2d');
		context.scale(devicePixelRatio, devicePixelRatio);
		paint(context);
		// A picture that does not change is drawn faster than a canvas.
		sprites.set(key, { node: canvas.transferToImageBitmap(), width, height });
	}
	return sprites.get(key);
}

/** The picture of a fruit on its colour, as `picture` has it elsewhere. */
function paintFace(context, name, x, y, size) {
	const { colour, labelColour } = fruitNamed(name);
	context.fillStyle = colour ?? colours.line;
	context.beginPath();
	context.roundRect(x, y, size, size, size / 4);
	context.fill();
	context.fillStyle = labelColour ?? colours.ink;
	context.font = size * .68 + 'px system-ui, sans-serif';
	[context.textAlign, context.textBaseline] = ['center', 'middle'];
	context.fillText(pictureText(name), x + size / 2, y + size * .54, size);
}

/** A person, a guest or a maker, with the fruits of a juice above the head. */
const personOf = (kind, juice) => sprite(kind + ' ' + juice, cell.guest, 66, (context) => {
	const fruits = juiceNamed(juice).recipe.slice(0, 2);
	fruits.forEach(({ fruit }, place) => paintFace(context, fruit, 19 - fruits.length * 9 + place * 18, 1, 17));
	context.fillStyle = kind === 'lost' ? colours.soft : kind === 'maker' ? colours.second : colours.accent;
	context.beginPath();
	context.arc(19, 30, 8, 0, 7);
	context.roundRect(9, 40, 20, 25, [10, 10, 2, 2]);
	context.fill();
	if (kind === 'maker') {
		context.fillStyle = colours.card;
		context.fillRect(14, 48, 10, 17);
	}
	if (kind === 'served' || kind === 'lost') {
		context.fillStyle = colours.card;
		context.font = '700 15px system-ui, sans-serif';
		context.textAlign = 'center';
		context.fillText(kind === 'lost' ? '✗' : '✓', 19, 58);
	}
});

/** A delivery on its way. */
const cartOf = (fruit) => sprite('cart ' + fruit, 32, 24, (context) => {
	paintFace(context, fruit, 8, 0, 16);
	context.strokeStyle = context.fillStyle = colours.soft;
	context.strokeRect(4.5, 1.5, 23, 14);
	for (const x of [10, 22]) {
		context.beginPath();
		context.arc(x, 19, 3, 0, 7);
		context.fill();
	}
});

/** The pieces of a fruit on its shelf, as one picture: few change between two frames. */
function piecesOf(fruit, drawn, across) {
	const key = 'pieces ' + fruit;
	const look = drawn + ' ' + across;
	if (sprites.get(key)?.look !== look) sprites.delete(key);
	const pieces = sprite(key, across * cell.piece, cell.rows * cell.piece, (context) => {
		for (let place = 0; place < drawn; place++) paintFace(context, fruit, place % across * cell.piece + 1, Math.floor(place / across) * cell.piece + 1, cell.piece - 2);
	});
	return Object.assign(pieces, { look });
}

/** Where people are on their way, by order. */
let walkers = new Map();
let sceneDrawnAt = 0;
let sceneToldAt = -Infinity;
let isSceneDue = false;
const isStill = matchMedia('(prefers-reduced-motion)');

/** Draws now, or the instant that the time bar shows. Goes on while somebody walks, and ten times a second while time passes. */
function drawScene() {
	if (tab !== 'scene' || document.hidden || !stand.fruits.length) return;
	if (!colours) readColours();
	const canvas = byId('picture');
	const [width, now] = [canvas.clientWidth, performance.now()];
	const scene = sceneOf(past ?? stand, [], past?.time ?? timeOfNow(), past ? 30 : seenFor * stand.speed);
	const places = placesOf(scene, width);
	const size = [width, places.height].map((length) => Math.round(length * devicePixelRatio));
	if (canvas.width !== size[0] || canvas.height !== size[1]) {
		[canvas.width, canvas.height] = size;
		canvas.style.height = places.height + 'px';
	}
	const context = canvas.getContext('2d');
	context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
	context.clearRect(0, 0, width, places.height);
	for (const box of places.boxes) paintShelf(context, box);
	for (const [name, y] of Object.entries(places.titles)) print(context, headOf(name, scene), 0, y, { size: 15, colour: { served: 'good', lost: 'bad' }[name], width: width - cell.guest });
	for (const { number, x, y } of places.more) print(context, '+' + count(number), x, y + 50, { size: 15 });
	const isMoving = paintPeople(context, places, Math.min(.1, (now - sceneDrawnAt) / 1000));
	if (past || now - sceneToldAt > 1000) tellScene(scene, now);
	sceneDrawnAt = now;
	if (isSceneDue || past || stand.phase !== 'open') return;
	isSceneDue = true;
	setTimeout(() => requestAnimationFrame(() => {
		isSceneDue = false;
		drawScene();
	}), isMoving ? 0 : 100);
}

function print(context, text, x, y, { size = 13, colour = 'ink', width }) {
	context.fillStyle = colours[colour];
	context.font = size + 'px system-ui, sans-serif';
	[context.textAlign, context.textBaseline] = ['left', 'alphabetic'];
	context.fillText(text, x, y, width);
}

const put = (context, { node, width, height }, x, y) => context.drawImage(node, x, y, width, height);

function paintShelf(context, { fruit, pieces, coming, x, y, width, drawn, across }) {
	put(context, piecesOf(fruit, drawn, across), x + 4, y + 2);
	const bottom = cell.rows * cell.piece + 5;
	const isLow = isShort(fruit, pieces);
	context.fillStyle = colours[isLow ? 'bad' : 'line'];
	context.fillRect(x, y + bottom, width, 4);
	print(context, [called(fruitNamed(fruit)), levelText(pieces), isLow && say('low')].filter(Boolean).join(' '), x + 4, y + bottom + 22, { size: 14, colour: isLow ? 'bad' : 'ink', width });
	if (!coming) return;
	put(context, cartOf(fruit), x + 2, y + bottom + 28);
	print(context, say('onOrder', { n: count(coming) }), x + 36, y + bottom + 44, { width: width - 36 });
}

/** Returns whether somebody walks. Few do; of many who come at once nobody could follow one. */
function paintPeople(context, { people, line }, passed) {
	const before = walkers;
	walkers = new Map();
	const isCalm = isStill.matches || past || people.filter(({ order }) => !before.has(order)).length > 6;
	let isMoving = false;
	for (const person of people) {
		const from = before.get(person.order) ?? { x: -cell.guest, y: line };
		const far = Math.hypot(person.x - from.x, person.y - from.y);
		// Those who are far walk faster, so that the picture is never long behind.
		const share = isCalm || far < 1 ? 1 : Math.min(1, Math.max(pace, far * 3) * passed / far);
		const [x, y] = ['x', 'y'].map((axis) => from[axis] + (person[axis] - from[axis]) * share);
		walkers.set(person.order, { x, y });
		isMoving ||= share < 1;
		put(context, personOf(person.kind, person.juice), x, y);
		if (person.kind === 'maker') paintProgress(context, person, x + 40, y + 26);
		if (person.kind === 'lost') print(context, words[language].reason[person.reason], x + 34, y + 46, { size: 12, colour: 'bad', width: cell.lost - 38 });
	}
	return isMoving;
}

/** How long an order has been made, beside the mean of its recipe. */
function paintProgress(context, order, x, y) {
	const mean = meanOf(order);
	context.fillStyle = colours.line;
	context.fillRect(x, y, 46, 7);
	context.fillStyle = colours[order.took > mean ? 'bad' : 'second'];
	context.fillRect(x, y, 46 * Math.min(1, order.took / mean || 0), 7);
	print(context, spell(order.took), x, y + 20, { size: 12, width: 48 });
	print(context, meanText(order), x, y + 35, { size: 12, colour: 'soft', width: 48 });
}

const levelText = (pieces) => pieces === null ? say('unlimited') : count(pieces);
const isShort = (fruit, pieces) => fruitNamed(fruit).lowStock != null && pieces !== null && pieces <= fruitNamed(fruit).lowStock;
const meanOf = ({ juice, cups }) => juiceNamed(juice).preparation * cups;
const meanText = ({ juice, cups }) => `/ ${cups > 1 ? cups + ' × ' : ''}${spell(juiceNamed(juice).preparation)}`;

/** The headings of the picture, with numbers. */
function headOf(name, { making, line, served, lost }) {
	const { figures } = words[language];
	const busy = past ? '' : ` · ${figures.makers} ${count(stand.figures.busyMakers ?? 0)}${stand.makers == null ? '' : ' / ' + count(stand.makers)}`;
	switch (name) {
		case 'shelf': return say('stock');
		case 'making': return `${say('beingMade')} ${count(making.length)}${busy}`;
		case 'line': return `${capitalized(say('line'))} ${count(line.length)}`;
		case 'served': return `${figures.served} ${count(served)}`;
		case 'lost': return `${figures.lost} ${count(reasons.reduce((sum, { name }) => sum + lost[name], 0))} ${reasonsOf(lost) && `(${reasonsOf(lost)})`}`;
	}
}

/** Says the same in words. */
function tellScene(scene, now) {
	sceneToldAt = now;
	const named = ({ juice }) => called(juiceNamed(juice));
	const level = ({ fruit, pieces, coming }) => [called(fruitNamed(fruit)), levelText(pieces), isShort(fruit, pieces) && say('low'), coming && say('onOrder', { n: count(coming) })].filter(Boolean).join(' ');
	const wishes = Map.groupBy(scene.line.filter(({ juice }) => juice), named);
	const details = {
		shelf: scene.shelf.map(level), making: scene.making.map((order) => `${named(order)} ${spell(order.took)} ${meanText(order)}`),
		line: [...wishes].map(([juice, same]) => `${count(same.length)} × ${juice}`), served: [], lost: [],
	};
	const said = Object.entries(details).map(([name, list]) => [headOf(name, scene), list.slice(0, mostDrawn.making).join(', ')].filter(Boolean).join(': '));
	redrawList(byId('scene-words'), said.map((text, place) => ({ text, place })), ({ place }) => place, () => make('li'));
	said.forEach((text, place) => setText(byId('scene-words').children[place], text));
}
