import { signal } from '@preact/signals'

/** True while the browser has a network. */
export const online = signal(navigator.onLine)
for (const type of ['online', 'offline']) addEventListener(type, () => (online.value = navigator.onLine))
