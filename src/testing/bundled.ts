/**
 * The module that bundlers take for `restante/testing`, by the condition `module`: see `service/bundled.ts`.
 *
 * @module
 */
import { importInstalled } from '../service/base'
import type * as testing from './index'

export const createWorld: typeof testing.createWorld = async (...args) =>
  (await importInstalled<typeof testing>('restante/testing')).createWorld(...args)
