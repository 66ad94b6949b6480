// What there is to see of a stand: a function of a state and a time, without clock, page or canvas.

/** The most recent orders that a state keeps after they have left. */
const mostLeft = 40;

/** Updates a state with the next fact: counts of orders, levels, what is on order, and the people, one by one if they are known. */
function advance(state, fact) {
	const { figures, levels, onOrder, people } = state;
	const { event, order, juice, cups, at, reason } = fact;
	state.sequence = fact.seq;
	switch (event) {
		case 'opened': Object.assign(levels, fact.stock); break;
		case 'orderPlaced':
			figures.orders++;
			figures.present++;
			figures.queue++;
			people?.set(order, { order, juice, cups, placed: at });
			break;
		case 'orderStarted':
			figures.queue--;
			if (people?.has(order)) people.set(order, { ...people.get(order), started: at });
			break;
		case 'orderServed':
			figures.served++;
			figures.present--;
			leave(state, { order, at });
			break;
		case 'orderLost':
			figures[reason]++;
			if (reasons.find(({ name }) => name === reason).wasPlaced) {
				figures.present--;
				figures.queue--;
			} else {
				figures.orders++;
			}
			leave(state, { order, juice, at, reason });
			break;
		case 'stockChanged': levels[fact.fruit] = fact.to; break;
		case 'restockOrdered': onOrder[fact.fruit] += fact.pieces; break;
		case 'restockDelivered': onOrder[fact.fruit] -= fact.pieces + (fact.refused ?? 0); break;
	}
}

/** An order leaves the stand: served, or for a reason. */
function leave({ people, left }, order) {
	left.push({ ...people?.get(order.order), ...order });
	if (left.length > 2 * mostLeft) left.splice(0, left.length - mostLeft);
	people?.delete(order.order);
}

const byOrder = (orders) => new Map(orders.map((order) => [order.order, order]));

/** The state of an instant, from its status: who is in the stand, and who left it just before. */
function stateOf(status) {
	const state = { ...status, figures: { ...status, ...status.lost }, levels: status.stock, left: [] };
	const placed = byOrder(status.events.filter(({ event }) => event === 'orderPlaced'));
	for (const { seq, event, order, juice, at, reason } of status.events) {
		if (seq > status.sequence || event !== 'orderServed' && event !== 'orderLost') continue;
		leave({ people: placed, left: state.left }, { order, at, ...reason && { reason }, ...juice && { juice } });
	}
	state.people = byOrder([...status.making, ...status.line].sort((one, other) => one.order - other.order));
	return state;
}

/** The scene at `time`, of the state at that time. Those who left in the last `lately` seconds are still seen. An order of which
 * nothing is known has a negative number. */
function sceneOf({ figures, people: known, left, levels, onOrder, places, makers }, time, lately) {
	// Until people are known one by one, only the length of the line is known, and not what is being made.
	const people = [...known?.values() ?? Array.from({ length: figures.queue }, (_, place) => ({ order: -1 - place }))];
	return {
		time, queue: figures.queue, places, makers, busy: figures.busyMakers,
		shelf: Object.entries(levels).map(([fruit, pieces]) => ({ fruit, pieces, coming: Math.max(0, onOrder[fruit]) })),
		line: people.filter((order) => !('started' in order)),
		making: people.filter((order) => 'started' in order).map((order) => ({ ...order, took: time - order.started })),
		areKnown: Boolean(known),
		left: left.filter(({ at }) => at > time - lately),
		served: figures.served,
		lost: Object.fromEntries(reasons.map(({ name }) => [name, figures[name]])),
	};
}
