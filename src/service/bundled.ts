/**
 * Stands for `restante/service` in bundles, by the condition `module`: the service itself is imported from where the
 * package is installed.
 *
 * @module
 */
import { importInstalled } from './base'
import type * as service from './index'

export { environmentOptions } from './settings'

export const createService: typeof service.createService = async (...args) =>
  (await importInstalled<typeof service>('restante/service')).createService(...args)
