// The picture of the stand from the side, on a canvas. At the back is the shelf with its crates, before it the makers at the counter, and
// in front people come in on the left, stand in line, and leave to the right with a cup or turn around.

/** The most people drawn in the line; a number stands for the others. */
const mostInLine = 30;
/** How long those who leave are seen, in real seconds, and how fast people walk, in pixels a second. */
const [seenFor, pace] = [2.5, 220];
/** The arrivals per real second above which the picture shows flows, and below which it shows people again. */
const [blurred, clear] = [3, 2];

/** The most makers that were seen on duty: each keeps a place. */
let mostMakers = 0;
let isFlowing = false;

// Where everything stands.

/** The boxes of everything in a scene, in pixels, and `texts`: every text of the picture with its room. A person is 58 units high. */
function placesOf(scene, width, unit) {
	const edge = 10 * unit;
	const picture = { unit, edge, width, texts: [], small: Math.round(Math.max(12, 12.5 * unit)), large: Math.round(Math.max(14, 14.5 * unit)) };
	let y = placeShelf(picture, scene, edge);
	y = placeMakers(picture, scene, y);
	y = placeFloor(picture, scene, y);
	return { ...picture, height: Math.ceil(placeTotals(picture, scene, y)) };
}

/** The unit of the picture, and the measures for which it was chosen. */
let fitted = { unit: 1 };

/** Chooses the largest unit at which the picture is as wide as its place and no higher than the window leaves room for. */
function fit(canvas, scene, width) {
	const key = [width, innerHeight, scene.shelf.length, mostMakers, scene.makers, isFlowing].join();
	if (fitted.key === key) return fitted.unit;
	const room = innerHeight - canvas.getBoundingClientRect().top - scrollY - 28;
	let unit = Math.min(2.8, Math.max(.75, width / 900));
	while (unit > 1 && placesOf(scene, width, unit).height > room) unit -= .1;
	fitted = { key, unit };
	return unit;
}

/** Adds a text: its first line stands at `y`, and it is cut if `room` is too small. */
function label({ texts, small }, text, x, y, room, style = {}) {
	if (text) texts.push({ text, x, y, room, size: small, colour: 'ink', align: 'left', ...style });
}

function placeShelf(picture, { shelf }, top) {
	const { unit, edge, width, small, large } = picture;
	label(picture, headOf.shelf(), edge, top + large, width - 2 * edge, { size: large, weight: 600 });
	const most = Math.max(1, Math.floor((width - 2 * edge) / (100 * unit)));
	const rows = Math.max(1, Math.ceil(shelf.length / most));
	const across = Math.max(1, Math.ceil(shelf.length / rows));
	const room = Math.min((width - 2 * edge) / across, 230 * unit);
	const [cart, high, plank] = [20 * unit, 62 * unit, 7 * unit];
	const height = cart + high + plank + 2.9 * small + 8 * unit;
	const from = (width - across * room) / 2;
	top += large * 1.5;
	picture.crates = shelf.map((crate, place) => {
		const [x, y] = [from + place % across * room, top + Math.floor(place / across) * height];
		const box = { ...crate, x: x + 5 * unit, y: y + cart, width: room - 10 * unit, height: high };
		const isBelow = isLow(crate.fruit, crate.pieces);
		const [first, second] = [box.y + high + plank + small * 1.15, box.y + high + plank + small * 2.5];
		label(picture, capitalized(called(fruitNamed(crate.fruit))), box.x, first, box.width);
		label(picture, [levelText(crate.pieces), isBelow && say('low')].filter(Boolean).join(' · '), box.x, second, box.width, { colour: isBelow ? 'bad' : 'soft' });
		if (crate.coming) label(picture, '+' + count(crate.coming), box.x + 30 * unit, box.y - 5 * unit, box.width - 30 * unit, { colour: 'soft' });
		return box;
	});
	picture.planks = Array.from({ length: rows }, (_, row) => ({ x: edge, y: top + row * height + cart + high, width: width - 2 * edge, height: plank }));
	return top + rows * height;
}

function placeMakers(picture, scene, top) {
	const { unit, edge, width, small, large } = picture;
	label(picture, (width < 320 ? headOf.busy : headOf.makers)(scene), edge, top + large, width - 2 * edge, { size: large, weight: 600 });
	top += large * 1.5;
	const [narrow, stand, plank] = [Math.max(62 * unit, 4.4 * small), 62 * unit, 9 * unit];
	const height = stand + plank + small * 1.6;
	const busy = picture.busy = scene.busy ?? scene.making.length;
	const onDuty = scene.makers ?? busy;
	mostMakers = Math.max(mostMakers, onDuty, busy);
	const number = scene.makers == null ? Math.max(1, busy) : Math.max(1, mostMakers);
	const across = Math.max(1, Math.floor((width - 2 * edge) / narrow));
	const shown = Math.min(number, across * (width < 700 ? 2 : 3));
	// A few makers have more room, for the mean time beside the time so far.
	const room = Math.max(narrow, Math.min(13 * small, (width - 2 * edge) / shown));
	const timeOf = (order) => room > 12.5 * small ? `${spell(order.took)} ${meanText(order)}` : spell(order.took);
	const rows = Math.ceil(shown / across);
	const from = (width - Math.min(shown, across) * room) / 2;
	// Several makers may be at work on an order of several cups.
	const cups = [...scene.making];
	for (let place = 0; cups.length < busy && scene.making.length; place++) cups.push(scene.making[place % scene.making.length]);
	picture.makers = Array.from({ length: shown }, (_, place) => {
		const box = { place, x: from + place % across * room, y: top + Math.floor(place / across) * height, width: room, height: stand };
		const isLast = place === shown - 1 && number > shown;
		const order = place < busy && !isFlowing ? cups[place] : undefined;
		if (isLast) label(picture, '+' + count(number - shown + 1), box.x, box.y + stand + plank + small * 1.2, room, { align: 'center' });
		else if (order?.took !== undefined) label(picture, timeOf(order), box.x, box.y + stand + plank + small * 1.2, room, { align: 'center', colour: order.took > meanOf(order) ? 'bad' : 'soft' });
		return { ...box, order, isMore: isLast, isBusy: place < busy, isOnDuty: place < Math.max(onDuty, busy) };
	});
	picture.counters = Array.from({ length: rows }, (_, row) => ({ x: edge, y: top + row * height + stand, width: width - 2 * edge, height: plank }));
	return top + rows * height + 4 * unit;
}

function placeFloor(picture, scene, top) {
	const { unit, edge, width, small } = picture;
	const [tall, wide] = [58 * unit, 30 * unit];
	const doors = [edge, width - edge - 30 * unit];
	// The line stands at `back`, low enough for the words of the flows above the doors. Those who leave walk at `front`.
	const back = top + Math.max(8 * unit, small * 1.4 - tall * .15);
	const front = back + 30 * unit;
	const head = doors[0] + (doors[1] - doors[0]) * .62;
	picture.floor = { top, doors, head, ground: [back + tall, front + tall], tall, wide };
	picture.people = [];
	if (!isFlowing) {
		const { line, left } = scene;
		const drawn = line.slice(0, mostInLine);
		const more = line.length - drawn.length;
		const tail = doors[0] + 40 * unit + (more ? 44 * unit : 0);
		const step = Math.min(32 * unit, (head - wide - tail) / Math.max(1, drawn.length));
		picture.people = drawn.map((order, place) => ({ kind: 'guest', ...order, x: head - wide - place * step, y: back }));
		if (more) label(picture, '+' + count(more), doors[0] + 38 * unit, back + tall, 48 * unit);
		for (const order of left) picture.people.push(whereLeaving(order, scene, picture.floor, front));
	} else {
		const said = flowTexts();
		const from = doors[0] + 30 * unit;
		const flow = { top: top + small * 1.5, height: front + tall - top - small * 2.7, from, tail: (from + head) / 2 };
		picture.floor.flow = flow;
		// The right one has the longer words. Both are above the doors.
		const middle = edge + (width - 2 * edge) * .43;
		label(picture, said.into, edge, top + small, middle - edge, { colour: 'second' });
		label(picture, said.served, middle, top + small, width - edge - middle, { colour: 'good', align: 'right' });
		// Beside the flow of those who are lost, which comes from under the line.
		const beside = (flow.tail + head) / 2;
		label(picture, said.lost, beside, front + tall - small * .4, width - edge - beside, { colour: 'bad' });
	}
	return front + tall + 6 * unit;
}

/** The place of somebody who has left: on the way to the right with a cup, or to the left from a place that depends on the reason. */
function whereLeaving(order, scene, { doors, head, wide }, y) {
	const share = Math.min(1, Math.max(0, (scene.time - order.at) / scene.lately));
	const { reason } = order;
	if (reason === undefined) return { kind: 'served', ...order, x: head + (doors[1] - head) * share, y, isLeaving: true };
	const from = { queueFull: .12, ranOutOfPatience: .5 }[reason] ?? 1;
	return { kind: 'lost', ...order, x: doors[0] + (head - wide - doors[0]) * from * (1 - share), y, isLeaving: true };
}

/** Places the totals under the floor: customers lost, in line and served; one below the other if there is little room. */
function placeTotals(picture, scene, top) {
	const { edge, width, large } = picture;
	const names = ['lost', 'line', 'served'];
	const colours = { lost: 'bad', line: 'ink', served: 'good' };
	const isNarrow = width < 700;
	const room = width - 2 * edge;
	// The reasons of losses need the most room.
	const [from, to] = [[0, .5, .77], [.48, .75, 1]];
	names.forEach((name, place) => {
		const style = { size: large, weight: 600, colour: colours[name] };
		const text = headOf[name](scene);
		if (isNarrow) label(picture, text, edge, top + large * (1.1 + place * 1.45), room, style);
		else label(picture, text, edge + from[place] * room, top + large * 1.1, (to[place] - from[place]) * room, { ...style, align: ['left', 'center', 'right'][place] });
	});
	return top + large * (isNarrow ? 1.1 + 2 * 1.45 : 1.1) + large * .6;
}

// The headings of the picture, with numbers.

const headOf = {
	shelf: () => say('stock'),
	busy: ({ busy, makers }) => `${words[language].figures.makers} ${ofLimit(busy, makers)}`,
	makers: (scene) => (scene.areKnown ? `${say('beingMade')} ${count(scene.making.length)} · ` : '') + headOf.busy(scene),
	line: ({ queue, places }) => `${capitalized(say('line'))} ${ofLimit(queue, places)}`,
	served: ({ served }) => `${words[language].figures.served} ${count(served)}`,
	lost: (scene) => `${words[language].figures.lost} ${count(lost(scene.lost))}${reasonsOf(scene.lost) && ` (${reasonsOf(scene.lost)})`}`,
};

const meanOf = ({ juice, cups }) => juiceNamed(juice).preparation * cups;
const meanText = ({ juice, cups }) => `/ ${cups > 1 ? cups + ' × ' : ''}${spell(juiceNamed(juice).preparation)}`;

// Flows: people per minute of stand time, shown if too many come to follow them one by one.

/** Customers in, served and lost in a minute of stand time, over the last minute or five real seconds, whichever is longer. */
function flows() {
	const end = past?.time ?? stand.since;
	const before = sampleAt(Math.max(0, end - Math.max(60, 5 * stand.speed)));
	const after = past ? sampleAt(end) : { time: end, ...stand.figures };
	if (!after) return { into: 0, served: 0, lost: 0 };
	// Without an earlier sample, since the opening. The span is at least a minute, because the first customers are no rush.
	const passed = Math.max(60, after.time - (before?.time ?? 0));
	const perMinute = (count) => (count(after) - (before ? count(before) : 0)) * 60 / passed;
	return { into: perMinute(({ orders }) => orders), served: perMinute(({ served }) => served), lost: perMinute(lost) };
}

/** The flows in words. */
function flowTexts() {
	const { into, served, lost } = flows();
	const text = (name, perMinute) => say(name, { n: formatted(perMinute, { maximumSignificantDigits: perMinute < 100 ? 2 : 3 }) });
	return { into: text('flowIn', into), served: text('flowOut', served), lost: text('flowLost', lost) };
}

/** Decides by the arrivals per real second whether the picture shows flows instead of people. A paused stand has no arrivals. */
function chooseFlow() {
	const perSecond = stand.phase === 'open' ? flows().into / 60 * stand.speed : 0;
	isFlowing = !past && perSecond > (isFlowing ? clear : blurred);
}

// Drawing.

/** A cache of the pictures of people, crates and carts, by what they show. Another theme or size empties it. */
let sprites = new Map();
let colours;
let spriteUnit = 1;

matchMedia('(prefers-color-scheme: dark)').onchange = () => {
	colours = null;
	drawScene();
};
new ResizeObserver(() => drawScene()).observe(byId('picture').parentElement);

function readColours() {
	const style = getComputedStyle(document.documentElement);
	colours = Object.fromEntries(['card', 'ink', 'soft', 'line', 'accent', 'second', 'good', 'bad', 'tint', 'wood', 'grain'].map((name) => [name, style.getPropertyValue('--' + name)]));
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

const put = (context, { node, width, height }, x, y) => context.drawImage(node, x, y, width, height);

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

/** The sign above the head of a lost customer, by the reason. */
const signs = { queueFull: '⊘', soldOut: '□', ranOutOfPatience: '◷', notOnMenu: '?' };

/** A person: a guest, one who is served, one who is lost, or a maker. */
const personOf = (kind, juice, reason, unit) => sprite([kind, juice, reason].join(' '), 30 * unit, 58 * unit, (context) => {
	context.scale(unit, unit);
	context.fillStyle = { lost: colours.soft, maker: colours.second, served: colours.good }[kind] ?? colours.accent;
	context.beginPath();
	context.arc(13, 25, 7.5, 0, 7);
	context.roundRect(4, 34, 18, 24, [9, 9, 2, 2]);
	context.fill();
	if (kind === 'maker') {
		context.fillStyle = colours.card;
		context.fillRect(8, 42, 10, 16);
	}
	if (kind === 'served') paintGlass(context, juice, 21, 34, 9, 13, 1);
	if (kind === 'lost') {
		context.fillStyle = colours.bad;
		context.font = '700 15px system-ui, sans-serif';
		[context.textAlign, context.textBaseline] = ['center', 'middle'];
		context.fillText(signs[reason] ?? '✗', 13, 9);
	}
	if (kind === 'guest' && juice) {
		const fruits = juiceNamed(juice).recipe.slice(0, 2);
		fruits.forEach(({ fruit }, place) => paintFace(context, fruit, 13 - fruits.length * 7 + place * 14, 1, 13));
	}
});

/** A glass that is filled to a share with the fruits of a juice, or in one colour. */
function paintGlass(context, juice, x, y, width, height, share) {
	const recipe = juice ? juiceNamed(juice).recipe : [{ pieces: 1 }];
	const total = recipe.reduce((sum, { pieces }) => sum + pieces, 0);
	let bottom = y + height;
	for (const { fruit, pieces } of recipe) {
		const part = height * share * pieces / total;
		context.fillStyle = fruit ? fruitNamed(fruit).colour ?? colours.line : colours.accent;
		context.fillRect(x + 1, bottom - part, width - 2, part);
		bottom -= part;
	}
	context.strokeStyle = colours.ink;
	context.lineWidth = 1;
	context.strokeRect(x + .5, y, width - 1, height);
}

/** A crate full of a fruit; the picture shows the lower part of it. */
const heapOf = (fruit, width, height, unit) => sprite(`heap ${fruit} ${Math.round(width)}`, width, height, (context) => {
	const size = 17 * unit;
	const { colour, picture } = fruitNamed(fruit);
	const isPictured = pictureText(fruit) === picture;
	for (let row = 0; row * size * .86 < height + size; row++) {
		for (let x = row % 2 ? -size / 2 : 0; x < width; x += size) {
			const y = height - size * (1 + row * .86);
			context.fillStyle = colour ?? colours.line;
			context.beginPath();
			context.arc(x + size / 2, y + size / 2, size * .48, 0, 7);
			context.fill();
			context.strokeStyle = '#0003';
			context.stroke();
			if (isPictured) paintFace(context, fruit, x + size * .1, y + size * .1, size * .8);
		}
	}
});

/** A delivery on its way. */
const cartOf = (fruit, unit) => sprite('cart ' + fruit, 28 * unit, 18 * unit, (context) => {
	context.scale(unit, unit);
	paintFace(context, fruit, 7, 0, 12);
	context.fillStyle = colours.soft;
	context.fillRect(1, 12, 25, 2);
	context.beginPath();
	for (const x of [6, 20]) {
		context.moveTo(x + 3, 15.5);
		context.arc(x, 15.5, 2.5, 0, 7);
	}
	context.fill();
});

/** Texts that were cut to their room, by font, room and text. */
let cut = new Map();

function print(context, { text, x, y, room, size, colour, align, weight = 400 }) {
	context.fillStyle = colours[colour];
	context.font = `${weight} ${size}px system-ui, sans-serif`;
	[context.textAlign, context.textBaseline] = [align, 'alphabetic'];
	const key = [context.font, Math.round(room), text].join(' ');
	if (!cut.has(key)) {
		if (cut.size > 2000) cut = new Map();
		let shown = text;
		while (shown.length > 1 && context.measureText(shown).width > room) shown = shown.slice(0, shown.endsWith('…') ? -2 : -1).trimEnd() + '…';
		cut.set(key, shown);
	}
	context.fillText(cut.get(key), x + { left: 0, center: room / 2, right: room }[align], y);
}

/** Where people are on their way, by order, and how full everything is drawn, by its name. */
let walkers = new Map();
let filled = new Map();
let sceneDrawnAt = 0;
let [sceneToldAt, toldSequence] = [-Infinity, 0];
let isSceneDue = false;
const isStill = matchMedia('(prefers-reduced-motion)');

/** Draws now, or the instant that the time bar shows. Goes on while something moves, and ten times a second while time passes. */
function drawScene() {
	if (tab !== 'scene' || document.hidden || !stand.fruits.length) return;
	if (!colours) readColours();
	const canvas = byId('picture');
	const [width, now] = [canvas.clientWidth, performance.now()];
	chooseFlow();
	const lately = past ? 30 : seenFor * stand.speed;
	const scene = { ...sceneOf(shown(), past?.time ?? timeOfNow(), lately), lately };
	const picture = placesOf(scene, width, fit(canvas, scene, width));
	if (picture.unit !== spriteUnit) [sprites, spriteUnit] = [new Map(), picture.unit];
	const size = [width, picture.height].map((length) => Math.round(length * devicePixelRatio));
	if (canvas.width !== size[0] || canvas.height !== size[1]) {
		[canvas.width, canvas.height] = size;
		canvas.style.height = picture.height + 'px';
		picture.isResized = true;
	}
	const context = canvas.getContext('2d');
	context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
	context.clearRect(0, 0, width, picture.height);
	const passed = Math.min(.1, (now - sceneDrawnAt) / 1000);
	const moves = [paintShelf, paintMakers, paintFloor, isFlowing ? paintFlows : paintPeople].map((paint) => paint(context, picture, scene, passed));
	for (const text of picture.texts) print(context, text);
	// Words follow each event; times in them follow once a second.
	if (past || toldSequence !== stand.sequence || now - sceneToldAt > 1000) tellScene(scene, now);
	sceneDrawnAt = now;
	if (isSceneDue || past || stand.phase !== 'open' && !moves.some(Boolean)) return;
	isSceneDue = true;
	setTimeout(() => requestAnimationFrame(() => {
		isSceneDue = false;
		if (!catchUp()) drawScene();
	}), moves.some(Boolean) ? 0 : 100);
}

/** Moves a share that is drawn towards its value, so that nothing jumps; true while it moves. */
function approach(name, share, passed) {
	const from = filled.get(name) ?? share;
	const to = isStill.matches || past || Math.abs(share - from) < .004 ? share : from + (share - from) * Math.min(1, passed * 6);
	filled.set(name, to);
	return to !== share;
}

const plank = (context, { x, y, width, height }) => {
	context.fillStyle = colours.wood;
	context.beginPath();
	context.roundRect(x, y, width, height, height / 3);
	context.fill();
};

function paintShelf(context, { crates, planks, unit }, scene, passed) {
	let isMoving = false;
	for (const board of planks) plank(context, board);
	for (const { fruit, pieces, coming, x, y, width, height } of crates) {
		const { full, lowStock } = fruitNamed(fruit);
		const top = Math.max(full ?? 0, pieces ?? 0, 1);
		isMoving = approach('crate ' + fruit, pieces === null ? 1 : pieces / top, passed) || isMoving;
		const deep = height * filled.get('crate ' + fruit);
		context.fillStyle = colours.tint;
		context.fillRect(x, y, width, height);
		if (deep > .5) {
			const { node } = heapOf(fruit, width, height, unit);
			const from = Math.min(node.height - 1, Math.round((height - deep) * devicePixelRatio));
			context.drawImage(node, 0, from, node.width, node.height - from, x, y + from / devicePixelRatio, width, (node.height - from) / devicePixelRatio);
		}
		context.strokeStyle = colours.grain;
		context.lineWidth = 2 * unit;
		context.strokeRect(x, y, width, height);
		context.globalAlpha = .45;
		context.beginPath();
		for (const share of [1 / 3, 2 / 3]) {
			context.moveTo(x, y + height * share);
			context.lineTo(x + width, y + height * share);
		}
		context.stroke();
		context.globalAlpha = 1;
		if (lowStock != null && pieces !== null && lowStock < top) {
			context.fillStyle = colours.bad;
			context.fillRect(x - 3 * unit, y + height * (1 - lowStock / top) - unit, width + 6 * unit, 2 * unit);
		}
		if (coming) put(context, cartOf(fruit, unit), x, y - 20 * unit);
	}
	return isMoving;
}

function paintMakers(context, { makers, counters, busy, unit }, scene, passed) {
	// With flows, each place shows a share, because makers would flicker.
	const isMoving = isFlowing && approach('busy', busy, passed);
	if (!isFlowing) filled.set('busy', busy);
	for (const { place, x, y, width, height, order, isMore, isBusy, isOnDuty } of makers) {
		if (isMore) continue;
		context.globalAlpha = isOnDuty ? 1 : .25;
		const person = personOf('maker', undefined, undefined, unit);
		put(context, person, x + (width - person.width) / 2 - 8 * unit, y + height - person.height + 4 * unit);
		const share = isFlowing ? filled.get('busy') - place : order ? order.took / meanOf(order) || 0 : 0;
		if (isFlowing || isBusy) {
			paintGlass(context, order?.juice, x + width / 2 + 8 * unit, y + height - 22 * unit, 13 * unit, 21 * unit, Math.min(1, Math.max(0, share)));
		}
		context.globalAlpha = 1;
	}
	for (const board of counters) plank(context, board);
	return isMoving;
}

function paintFloor(context, { floor: { doors, ground, tall }, unit, edge, width }) {
	context.fillStyle = colours.tint;
	context.fillRect(edge, ground[0] - 3 * unit, width - 2 * edge, ground[1] - ground[0] + 5 * unit);
	context.fillStyle = colours.line;
	context.fillRect(edge, ground[1], width - 2 * edge, 2 * unit);
	context.strokeStyle = colours.grain;
	context.lineWidth = 2 * unit;
	for (const x of doors) {
		context.fillStyle = colours.tint;
		context.beginPath();
		context.roundRect(x, ground[0] - tall * .85, 30 * unit, tall * .85, [8 * unit, 8 * unit, 0, 0]);
		context.fill();
		context.stroke();
	}
	return false;
}

/** Draws the people; true while somebody walks. If more than six come at once, all are drawn at their places. */
function paintPeople(context, { people, floor, unit, isResized }, scene, passed) {
	const before = walkers;
	walkers = new Map();
	const isCalm = isStill.matches || past || isResized || people.filter(({ order }) => !before.has(order)).length > 6;
	let isMoving = false;
	for (const person of people) {
		let { x, y } = person;
		const from = before.get(person.order) ?? { x: floor.doors[0], y };
		if (person.isLeaving) {
			// The places of those who leave depend on the time alone.
			isMoving ||= !past && !isStill.matches;
			if (isStill.matches) x = person.kind === 'served' ? floor.doors[1] - 40 * unit : floor.doors[0] + 40 * unit;
		} else if (!isCalm) {
			const far = Math.hypot(x - from.x, y - from.y);
			const share = far < 1 ? 1 : Math.min(1, Math.max(pace * unit, far * 3) * passed / far);
			x = from.x + (x - from.x) * share;
			y = from.y + (y - from.y) * share;
			isMoving ||= share < 1;
		}
		walkers.set(person.order, { x, y });
		put(context, personOf(person.kind, person.juice, person.reason, unit), x, y);
	}
	return isMoving;
}

/** Draws people as flows, as wide as they are strong, and the line as a bar. */
function paintFlows(context, { floor: { flow, doors, head }, unit }, scene, passed) {
	const { into, served, lost } = flows();
	const strongest = Math.max(into, served, lost, 1e-9);
	let isMoving = false;
	const strength = (name, rate) => {
		isMoving = approach('flow ' + name, rate / strongest, passed) || isMoving;
		return Math.max(rate > 0 ? 2 : 0, flow.height * .55 * filled.get('flow ' + name));
	};
	const middle = flow.top + flow.height * .36;
	const { from, tail } = flow;
	const band = (colour, thickness, path) => {
		context.strokeStyle = colours[colour];
		context.globalAlpha = .55;
		context.lineWidth = thickness;
		context.beginPath();
		path();
		if (thickness) context.stroke();
		context.globalAlpha = 1;
	};
	band('second', strength('in', into), () => {
		context.moveTo(from, middle);
		context.lineTo(tail, middle);
	});
	band('good', strength('out', served), () => {
		context.moveTo(head, middle);
		context.lineTo(doors[1], middle);
	});
	band('bad', strength('lost', lost), () => {
		const low = flow.top + flow.height * .86;
		context.moveTo(tail + (head - tail) / 3, middle);
		context.bezierCurveTo(tail, low, tail, low, from, low);
	});
	const most = Math.max(scene.places ?? 0, scene.queue, 12);
	isMoving = approach('line', scene.queue / most, passed) || isMoving;
	const high = flow.height * .55;
	context.fillStyle = colours.card;
	context.strokeStyle = colours.grain;
	context.lineWidth = 2 * unit;
	context.beginPath();
	context.roundRect(tail, middle - high / 2, head - tail, high, 6 * unit);
	context.fill();
	context.save();
	context.clip();
	const long = (head - tail) * filled.get('line');
	context.fillStyle = colours.accent;
	context.fillRect(head - long, middle - high / 2, long, high);
	context.restore();
	context.stroke();
	walkers = new Map();
	return isMoving;
}

/** Writes the scene in words. */
function tellScene(scene, now) {
	[sceneToldAt, toldSequence] = [now, stand.sequence];
	const named = ({ juice }) => called(juiceNamed(juice));
	const level = ({ fruit, pieces, coming }) => [called(fruitNamed(fruit)), levelText(pieces), isLow(fruit, pieces) && say('low'), coming && say('onOrder', { n: count(coming) })].filter(Boolean).join(' ');
	const wishes = Map.groupBy(scene.line.filter(({ juice }) => juice), named);
	const flowing = flowTexts();
	const details = {
		shelf: scene.shelf.map(level), makers: scene.making.map((order) => `${named(order)} ${spell(order.took)} ${meanText(order)}`),
		line: [...wishes].map(([juice, same]) => `${count(same.length)} × ${juice}`),
		served: isFlowing ? [flowing.into, flowing.served] : [],
		lost: isFlowing ? [flowing.lost] : [],
	};
	const said = Object.entries(details).map(([name, list]) => [headOf[name](scene), list.slice(0, 60).join(', ')].filter(Boolean).join(': '));
	redrawList(byId('scene-words'), said.map((text, place) => ({ text, place })), ({ place }) => place, () => make('li'));
	said.forEach((text, place) => setText(byId('scene-words').children[place], text));
}
