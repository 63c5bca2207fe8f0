import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextStep } from '../../../src/service/connections/source/refusals'
import { openService, type QuietService } from '../../support/service'
import { type ScriptedMailbox, startScriptedMailbox } from './support/scripted-mailbox'

/** Texts of providers, and a part of what their user is told. Where each was seen stands beside the table. */
const texts: [text: string, step: RegExp][] = [
  [
    '[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)',
    /app password/,
  ],
  [
    '534-5.7.9 Application-specific password required. For more information, go to https://support.google.com/mail/?p=InvalidSecondFactor',
    /app password/,
  ],
  [
    '[ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for IMAP access. (Failure)',
    /switch on IMAP/,
  ],
  [
    '[ALERT] Please log in via your web browser: https://support.google.com/mail/accounts/answer/78754 (Failure)',
    /in a browser/,
  ],
  [
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit https://aka.ms/smtp_auth_disabled for more information.',
    /switch on SMTP AUTH/,
  ],
  [
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.',
    /switch on SMTP AUTH/,
  ],
  ['535 5.7.139 Authentication unsuccessful, basic authentication is disabled.', /OAuth/],
  ['535 5.7.3 Authentication unsuccessful', /SMTP\.Send/],
  ['AUTHENTICATE failed.', /IMAP\.AccessAsUser\.All/],
  ['User is authenticated but not connected.', /as the user of this mailbox/],
  [
    "invalid_request: AADSTS50194: Application 'x'(y) is not configured as a multi-tenant application. Usage of the /common endpoint is not supported for such applications created after '10/15/2018'.",
    /name the tenant/,
  ],
  [
    'invalid_grant: AADSTS65001: The user or administrator has not consented to use the application',
    /consented/,
  ],
  ['access_denied: AADSTS90094: The grant requires admin permission.', /administrator must consent/],
  ['admin_policy_enforced: undefined', /administrator must consent/],
  ['invalid_client: AADSTS7000215: Invalid client secret provided.', /client secret/],
  ['invalid_client: AADSTS7000222: The provided client secret keys are expired.', /client secret/],
  ['unauthorized_client: AADSTS700016: Application was not found in the directory', /unknown in this tenant/],
  [
    'invalid_grant: AADSTS50173: The provided grant has expired due to it being revoked',
    /password was changed/,
  ],
  [
    'invalid_grant: AADSTS700082: The refresh token has expired due to inactivity.',
    /has expired: sign in again/,
  ],
  ['invalid_grant: AADSTS50076: you must use multi-factor authentication', /policy/],
  ['invalid_grant: Token has been expired or revoked.', /Testing: publish it/],
  ['invalid_grant: Bad Request', /new refresh token/],
  ['org_internal: undefined', /External/],
  ['unauthorized_client: Unauthorized', /another application/],
  ['C0F7: error:0A00010B:SSL routines:ssl3_get_record:wrong version number', /does not begin with TLS/],
  ['connect ECONNREFUSED 127.0.0.1:1', /nothing listens/],
]

describe('a refusal of a provider', () => {
  it.each(texts)('names the next step: %s', (text, step) => {
    expect(nextStep(text)).toMatch(step)
  })

  it('has none where its text is unknown', () => {
    for (const text of ['', 'Invalid credentials (Failure)', 'AADSTS501940: a longer number'])
      expect(nextStep(text)).toBeNull()
  })
})

describe('a connection that is refused', () => {
  let service: QuietService
  let mailbox: ScriptedMailbox
  beforeAll(async () => {
    service = await openService({ connectionsAllowPrivate: true })
    mailbox = await startScriptedMailbox()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })
  const refused = async (more: Record<string, unknown>) =>
    (await service.call('POST', '/connections', { body: mailbox.body(more) })).body.message as string

  it('says that the port does not begin with TLS, or that nothing listens', async () => {
    const { port } = mailbox.body().smtp as { port: number }
    const smtp = { host: '127.0.0.1', port, tls: 'implicit' }
    expect(await refused({ smtp })).toMatch(/Mail cannot leave.*does not begin with TLS/)
    expect(await refused({ imap: { host: '127.0.0.1', port: mailbox.imap.port, tls: 'implicit' } })).toMatch(
      /cannot be used.*does not begin with TLS/,
    )
    expect(await refused({ imap: { host: '127.0.0.1', port: 1, tls: 'off' } })).toMatch(/nothing listens/)
  })

  it('says that the application has to be published', async () => {
    const body = '{"error":"invalid_grant","error_description":"Token has been expired or revoked."}'
    const tokens = createServer((_request, response) => void response.writeHead(400).end(body))
    tokens.listen(0, '127.0.0.1')
    await once(tokens, 'listening')
    const { port } = tokens.address() as { port: number }
    const token_url = `http://127.0.0.1:${port}/token`
    const login = { type: 'oauth', client_id: 'a', refresh_token: 'b', token_url }
    expect(await refused({ login })).toMatch(/every 7 days.*status Testing: publish it/)
    tokens.closeAllConnections()
    tokens.close()
  })
})
