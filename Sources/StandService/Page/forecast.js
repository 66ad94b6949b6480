// What may come: bands beyond now, and when each fruit becomes short.

/** The latest forecast, the stand time from which it looks ahead, and when it was asked for. */
let forecast, forecastAt, askedAt = -Infinity;

/** Asks for a forecast every minute, every ten minutes of a stand that is sped up, but at most every two seconds. All pages of a
 * stand share it. */
async function fetchForecast() {
	const now = performance.now();
	if (past || !isConnected || now - askedAt < Math.min(60000, Math.max(1900, 600000 / stand.speed))) return;
	askedAt = now;
	const found = await get('forecast?every=1m').catch(() => null);
	[forecast, forecastAt] = [found?.runs[0], found?.at];
	axis.ahead = forecast ? Math.min(14400, axis.length / 2) : 0;
}

/** Bands of 90% and 50% from the present `value` on; `levels` finds what they show in a forecast. */
const bandsOf = (levels, value) => ([, to]) => {
	const now = timeOfNow();
	const points = !past && forecast && levels(forecast)?.filter(({ at }) => at > now && at <= to);
	const fan = (low, high) => [[now, value(), value()], ...points.map((point) => [point.at, point[low], point[high]])];
	return points?.length ? [fan('p05', 'p95'), fan('p25', 'p75')] : [];
};

/** When a fruit becomes short, in words; empty if that is unknown or past. */
function fateOf(fruit, run = forecast) {
	const { probability, at } = run?.fruits[fruit]?.short ?? {};
	const short = (time) => clock(time).slice(0, -3);
	if (past || !probability) return '';
	if (probability.mean < .5) return say('lastsLong');
	return at.p50 < timeOfNow() ? '' : say('shortAbout', { time: short(at.p50), from: short(at.p05), to: short(at.p95) });
}
