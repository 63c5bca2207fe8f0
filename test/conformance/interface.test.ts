import { describeDatabases } from '../support/databases'
import { perBlock, useService } from '../support/use-service'
import { conventions } from './sections/1-conventions'
import { accountStatus } from './sections/2-1-account-status'
import { signupResponse } from './sections/2-6-signup-response'
import { mailResources } from './sections/2-7-mail-resources'
import { states } from './sections/3-states'
import { signup } from './sections/4-1-signup'
import { getAccount } from './sections/4-2-account'
import { drafts } from './sections/4-3-drafts'
import { messages } from './sections/4-4-messages'
import { labelsListsWebhooks } from './sections/4-8-labels-lists-webhooks'
import { authentication } from './sections/5-authentication'
import { events } from './sections/6-events'
import { errors } from './sections/7-errors'
import { limits } from './sections/8-limits'
import { versioning } from './sections/9-versioning'
import { startWorld } from './world'

/** Walks the specification of the interface, section by section, on one service. The numbers are its own. */
describeDatabases('the specification', (openDatabase) => {
  const { service: world } = useService(openDatabase, startWorld, perBlock)
  conventions(world)
  accountStatus(world)
  signupResponse(world)
  mailResources(world)
  states(world)
  signup(world)
  getAccount(world)
  drafts(world)
  messages(world)
  labelsListsWebhooks(world)
  authentication(world)
  events(world)
  errors(world)
  limits(world)
  versioning(world)
})
