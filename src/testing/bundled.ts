/**
 * The module that bundlers resolve for `restante/testing`, by the condition `module`. See
 * `service/bundled.ts`.
 *
 * @module
 */
import { importInstalled } from '../service/base/import-installed'
import type * as testing from './index'

export const createWorld: typeof testing.createWorld = async (...args) =>
  (await importInstalled<typeof testing>('restante/testing')).createWorld(...args)
