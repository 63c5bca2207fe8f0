/**
 * Replaces `restante/service` in bundles, by the condition `module`. The service itself is imported from the
 * installed package.
 *
 * @module
 */
import { importInstalled } from './base/import-installed'
import type * as service from './index'

export { environmentOptions } from './settings'

export const createService: typeof service.createService = async (...args) =>
  (await importInstalled<typeof service>('restante/service')).createService(...args)
