import { useEffect, useRef, useState } from "react";
// src/react.ts
/** The hook for live values and feeds. Imports react. */
const NOTHING = { live: {} };
/** After how many values in a row, each followed by another subscription, the console has an error. */
const MANY = 5;
function useLive(subscription, add = newest) {
	const [held, setHeld] = useState(NOTHING);
	useStable(subscription, held);
	useEffect(() => {
		const loop = subscription[Symbol.asyncIterator]();
		let value;
		const show = (live) => setHeld({
			subscription,
			add,
			live
		});
		const follow = async () => {
			for (;;) {
				const { done, value: event } = await loop.next();
				if (done) return;
				value = add(value, event);
				show({ value });
			}
		};
		follow().catch((error) => show({
			value,
			error
		}));
		return () => {
			setHeld(NOTHING);
			loop.return?.();
		};
	}, [subscription, add]);
	return held.subscription === subscription && held.add === add ? held.live : NOTHING.live;
}
function newest(_, value) {
	return value;
}
/** Reports a component in which each value causes a render with another subscription. */
function useStable(subscription, held) {
	const last = useRef({
		subscription,
		held,
		changes: 0
	});
	useEffect(() => {
		const { current } = last;
		const changes = current.subscription !== subscription && current.held !== held ? current.changes + 1 : 0;
		last.current = {
			subscription,
			held,
			changes
		};
		if (changes === MANY) console.error(`useLive got another subscription in ${MANY} renders in a row, and subscribed each time. Create the subscription outside the component, or with useMemo.`);
	});
}
export { useLive };
