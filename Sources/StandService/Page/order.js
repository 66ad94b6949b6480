// The order screen: the menu as cards, what is recommended, what was ordered.

/** Kept in this browser: favourite juices and the latest orders made here. */
const kept = { favourites: [], orders: [], ...JSON.parse(localStorage.getItem('kept')) };

function keep() {
	kept.orders.length = Math.min(kept.orders.length, 20);
	localStorage.setItem('kept', JSON.stringify(kept));
	recommendedAt = -Infinity;
	redrawSoon(0);
}

let cards = [];
let recommendedAt = -Infinity;

function makeCard(juice) {
	let cups = 1;
	const name = called(juice);
	const ingredients = juice.recipe.map(({ fruit, pieces }) => {
		const amount = make('span.amount');
		return { fruit, pieces, amount, node: make('li', {}, make('i.sign', { 'aria-hidden': true }), picture(fruit), say('piecesOf', { 1: pieces, 2: called(fruitNamed(fruit)) }), amount) };
	});
	const favourite = make('button', {
		class: 'star', label: say('favour', { juice: name }), onclick: () => {
			kept.favourites = kept.favourites.includes(juice.name) ? kept.favourites.filter((other) => other !== juice.name) : [...kept.favourites, juice.name];
			keep();
		},
	}, '★');
	const enough = make('span.pill.enough');
	const node = inColour(make('li.card', { 'data-juice': juice.name },
		makeGlass(juice.recipe),
		make('div', {}, make('div.head', {}, make('h3', {}, capitalized(name)), make('strong', {}, juice.price ? money(juice.price) : '')), make('p.small', {}, [...[juice.category, juice.method].filter(Boolean).map(translated), say('perCup', { span: spell(juice.preparation) })].join(' · ')),
			make('ul', {}, ...ingredients.map((ingredient) => ingredient.node)), enough),
		favourite,
		make('div.buy', {},
			makeStepper(say('cupsOf', { juice: name }), 10000, (number) => { cups = number; }),
			make('button.main', { label: say('orderOf', { juice: name }), onclick: () => order(juice, cups) }, say('order')))), juice.recipe[0]?.fruit);
	return { juice, node, ingredients, favourite, enough };
}

function rebuildOrderScreen() {
	const { juices, fruits } = stand;
	cards = juices.map(makeCard);
	byId('juices').replaceChildren(...cards.map((card) => card.node));
	setChoices(byId('filter-fruit'), [['', say('all')], ...fruits.map((fruit) => [fruit.name, called(fruit)])]);
	setChoices(byId('filter-category'), [['', say('all')], ...[...new Set(juices.map((juice) => juice.category).filter(Boolean))].map((name) => [name, translated(name)])]);
	for (const list of ['ordered', 'recommended']) redrawList(byId(list), []);
	recommendedAt = -Infinity;
}

function drawOrderScreen() {
	const [fruit, category] = [byId('filter-fruit').value, byId('filter-category').value];
	const [makeable, favourite] = [byId('filter-makeable').checked, byId('filter-favourite').checked];
	for (const card of cards) {
		const { juice } = card;
		const cups = cupsOf(juice);
		const isFavourite = kept.favourites.includes(juice.name);
		card.node.hidden = fruit && !juice.recipe.some((ingredient) => ingredient.fruit === fruit) || category && juice.category !== category
			|| makeable && cups === 0 || favourite && !isFavourite;
		card.node.classList.toggle('short', cups === 0);
		setAttribute(card.favourite, 'aria-pressed', isFavourite);
		setText(card.enough, cups === 0 ? say('cannotMake') : cups === Infinity ? '' : say('canMake', { n: count(cups) }));
		for (const { fruit, pieces, amount, node } of card.ingredients) {
			const level = stand.levels[fruit];
			const isMissing = level !== null && level < pieces;
			node.classList.toggle('missing', isMissing);
			setText(amount, level === null ? say('unlimited') : isMissing ? say('missing', { n: count(pieces - level) }) : say('inHand', { n: count(level) }));
		}
	}
	if (performance.now() - recommendedAt > 5000) drawRecommended();
	redrawList(byId('ordered'), kept.orders, (order) => order.key + order.state, (order) => make('li', { class: order.state },
		say('orderState', { n: order.number, juice: `${called(juiceNamed(order.juice))} × ${order.cups}`, state: words[language].state[order.state] })));
}

/** Three available juices, each with the reason: the most similar to favourites and former orders, then those with fruit for the most cups. */
function drawRecommended() {
	recommendedAt = performance.now();
	const { juices } = stand;
	const liked = juices.filter(({ name }) => kept.favourites.includes(name) || kept.orders.some((order) => order.juice === name));
	const best = juices.map((juice) => {
		const [nearest] = liked.toSorted((one, other) => similarity(juice, other) - similarity(juice, one));
		return { juice, nearest, cups: cupsOf(juice), likeness: nearest ? similarity(juice, nearest) : 0 };
	}).filter(({ cups }) => cups > 0).sort((a, b) => b.likeness - a.likeness || b.cups - a.cups).slice(0, 3).map((item) => ({ ...item, reason: reasonFor(item) }));
	redrawList(byId('recommended'), best, ({ juice, reason }) => juice.name + reason, ({ juice, reason }) =>
		make('li', {}, make('button', { onclick: () => showCard(juice) }, makeGlass(juice.recipe), capitalized(called(juice)), small(reason))));
}

/** Why a juice is recommended. */
function reasonFor({ juice, nearest, likeness, cups }) {
	if (likeness > 0) return juice === nearest ? say('liked') : say('alike', { juice: called(nearest) });
	return cups === Infinity ? say('unlimited') : say('canMake', { n: count(cups) });
}

function showCard(juice) {
	for (const filter of document.querySelectorAll('[id^=filter-]')) Object.assign(filter, { value: '', checked: false });
	drawOrderScreen();
	cards.find((card) => card.juice === juice).node.querySelector('.main').focus();
}

// Ordering.

async function order(juice, cups) {
	let answer;
	try {
		answer = await change('orders', { juice: juice.name, cups });
	} catch (refusal) {
		return orderRefused(refusal, juice, cups);
	}
	const made = called(juiceNamed(answer.juice));
	const state = answer.cupsWaitingForFruit > 0 ? 'short' : answer.isStarted ? 'making' : 'waiting';
	kept.orders.unshift({ key: Date.now(), number: answer.order, juice: answer.juice, cups, state });
	keep();
	toast(answer.juice === juice.name ? say('orderState', { n: answer.order, juice: made, state: words[language].state[state] })
		: say('instead', { n: answer.order, juice: made, wished: called(juice) }));
	// Facts of the order may have arrived before the answer.
	for (const fact of facts) if (fact.order === answer.order) hearOrder(fact);
}

function orderRefused(refusal, juice, cups) {
	const { reason, fruit, missing, instead } = refusal.problem;
	if (reason === 'queueFull') return ask(say('lineFull'), '', [[say('fine')]]);
	if (reason !== 'soldOut') return explain(refusal);
	const offers = instead.slice(0, 3).map(juiceNamed).map((other) => make('button', {
		onclick: () => {
			byId('question').close();
			order(other, 1);
		},
	}, called(other)));
	const again = () => ask(say('orderAgain'), `${called(juice)} × ${cups}`, [[say('no')], [say('yes'), () => order(juice, cups)]]);
	// The refusal names the first fruit that is missing; others may be, too.
	const lacking = new Map(juice.recipe.map((one) => [one.fruit, one.pieces * cups - (stand.levels[one.fruit] ?? Infinity)]).filter(([, pieces]) => pieces > 0));
	lacking.set(fruit, missing);
	ask(say('shortage'), say('shortBy', { n: count(missing), fruit: called(fruitNamed(fruit)), juice: called(juice) }),
		[[say('no')], [say('yes'), () => openStock(fruit, lacking, again)]], offers.length ? [make('p', {}, say('could')), make('div.chips', {}, ...offers)] : []);
}

const isOpen = ({ state }) => !['served', 'lost', 'over'].includes(state);

/** Updates an order made here. */
function hearOrder(fact) {
	const order = kept.orders.find((order) => order.number === fact.order && isOpen(order));
	const state = { orderStarted: 'making', orderServed: 'served', orderLost: 'lost' }[fact.event];
	if (!order || !state) return;
	order.state = state;
	keep();
	const juice = called(juiceNamed(order.juice));
	if (state === 'served') toast(say('ready', { juice }), 'good');
	if (state === 'lost') toast(say('orderState', { n: order.number, juice, state: words[language].state.lost }));
}

/** Checks orders made before this page was loaded. */
async function reviewOrders() {
	for (const order of kept.orders.filter(isOpen)) {
		const found = await get('orders/' + order.number).catch(() => null);
		if ((found?.state ?? 'left') === 'left' && isOpen(order)) order.state = 'over';
	}
	keep();
}
