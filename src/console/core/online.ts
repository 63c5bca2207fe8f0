import { signal } from '@preact/signals'

/** Whether the browser has a network. */
export const online = signal(navigator.onLine)
for (const type of ['online', 'offline']) addEventListener(type, () => (online.value = navigator.onLine))
