import { answers } from './answers'
import { colleagues } from './colleagues'
import { desk } from './desk'
import { groups } from './groups'
import { lookups } from './lookups'
import type { Task } from './task'

/** Every honest task, by its kind. */
export const kinds: Readonly<Record<string, readonly Task[]>> = { answers, lookups, groups, colleagues, desk }
