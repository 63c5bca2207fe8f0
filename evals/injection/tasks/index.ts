import { answers } from './answers'
import { colleagues } from './colleagues'
import { desk } from './desk'
import { groups } from './groups'
import { languageTasks } from './languages'
import { lookups } from './lookups'
import { office } from './office'
import type { Task } from './task'

/** Every honest task, by its kind. */
export const kinds: Readonly<Record<string, readonly Task[]>> = {
  answers,
  lookups,
  groups,
  colleagues,
  desk,
  office,
  languages: languageTasks,
}
