import { readAccount } from '../../core/account'
import type { Handlers } from '../handler'

export const accountHandlers: Handlers['account'] = { get: ({ core, scope }) => readAccount(core, scope) }
