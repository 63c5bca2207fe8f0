/** A refusal of a mail provider, and what its user does about it. */
interface Refusal {
  /** Part of the provider's text. */
  text: RegExp
  /** The next step, as the end of a sentence. */
  step: string
}

/**
 * Refusals of providers, the more specific first. Providers change their texts without notice: a text that
 * is not here is shown as it is.
 */
const refusals: readonly Refusal[] = [
  // Gmail: "[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833
  // (Failure)", and "534-5.7.9 Application-specific password required" by SMTP.
  // https://github.com/imapsync/imapsync/issues/175, https://github.com/pimalaya/himalaya/issues/58
  {
    text: /application-specific password required/i,
    step: 'use an app password instead of the password of the account (https://support.google.com/accounts/answer/185833), or sign in with Google',
  },
  // Gmail for accounts whose IMAP is off: "[ALERT] Your account is not enabled for IMAP use. Please visit
  // your Gmail settings page and enable your account for IMAP access. (Failure)".
  // https://support.google.com/mail/answer/7126229
  {
    text: /not enabled for IMAP|IMAP (?:access )?is (?:disabled|not enabled|off)/i,
    step: 'switch on IMAP in the settings of the mailbox, or ask its administrator to',
  },
  // Gmail: "[ALERT] Please log in via your web browser: https://support.google.com/mail/accounts/answer/78754".
  // https://support.google.com/mail/answer/7126229
  {
    text: /log in via your web browser|WEBALERT/i,
    step: 'sign in once in a browser and confirm that it was you, then use an app password',
  },
  // Exchange Online: "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the
  // Tenant. Visit https://aka.ms/smtp_auth_disabled", or "for the Mailbox".
  // https://github.com/simonrob/email-oauth2-proxy/issues/193
  {
    text: /SmtpClientAuthentication is disabled/i,
    step: 'ask the administrator to switch on SMTP AUTH for this mailbox (Microsoft 365 admin center: Users, Mail, Manage email apps, Authenticated SMTP)',
  },
  // Exchange Online: "535 5.7.139 Authentication unsuccessful, basic authentication is disabled."
  // https://github.com/rpremraj/mailR/issues/107
  {
    text: /basic authentication is disabled/i,
    step: 'Microsoft accepts no passwords: sign in with OAuth instead',
  },
  // Exchange Online after a login with the token of another user, or without a licence or scope: "BAD User is
  // authenticated but not connected." https://github.com/simonrob/email-oauth2-proxy/issues/275
  {
    text: /authenticated but not connected/i,
    step: 'sign in as the user of this mailbox, grant IMAP.AccessAsUser.All, and check that the mailbox has a licence and IMAP is on',
  },
  // Exchange Online, for any token or password that it does not accept: "NO AUTHENTICATE failed." and
  // "535 5.7.3 Authentication unsuccessful". https://github.com/MicrosoftDocs/office-developer-exchange-docs/issues/87,
  // https://github.com/jstedfast/MailKit/issues/700
  {
    text: /AUTHENTICATE failed\.|5\.7\.3 Authentication unsuccessful/i,
    step: 'check the user, and that the token is for https://outlook.office.com with IMAP.AccessAsUser.All and SMTP.Send; Microsoft 365 accepts no passwords',
  },
  // Entra: https://learn.microsoft.com/entra/identity-platform/reference-error-codes
  // An application of one tenant, at the endpoint `common`.
  // https://github.com/MicrosoftDocs/azure-docs/issues/55341
  {
    text: /AADSTS50194\b/,
    step: 'the application is of one tenant: name the tenant instead of `common` in token_url, or make the application multi-tenant',
  },
  // 65001: no consent. 90094 and 90095: only an administrator may give it.
  {
    text: /AADSTS(?:90094|90095)\b|admin_policy_enforced/,
    step: 'an administrator must consent first: have them open the sign-in page of the application once, and grant it for the organization',
  },
  {
    text: /AADSTS65001\b|consent_required|interaction_required/,
    step: 'the user has not consented, or an administrator has to: sign in again and grant all permissions',
  },
  // 7000215: wrong secret. 7000222: expired secret.
  {
    text: /AADSTS70002(?:15|22)\b|invalid_client/,
    step: 'the client secret is wrong or has expired: create another one, and connect the mailbox again with it',
  },
  // 700016: the application is unknown in this tenant.
  {
    text: /AADSTS700016\b/,
    step: 'the application is unknown in this tenant: check client_id and the tenant in token_url',
  },
  // 50173: password changed. 700082 and 70008: unused for too long. 700084: of a single-page application.
  {
    text: /AADSTS(?:50173|50132|50133)\b/,
    step: 'the password was changed or the sessions were ended: sign in again',
  },
  { text: /AADSTS(?:700082|70008|700084)\b/, step: 'the sign-in has expired: sign in again' },
  // 50076, 50079, 50158: another factor is required. 53003, 530003: conditional access.
  {
    text: /AADSTS(?:50076|50079|50158|53000|53003|530003)\b/,
    step: 'a policy of the organization asks for more: sign in again, or ask the administrator to exempt the application',
  },
  // Google, for a refresh token of an application in status Testing after 7 days, for a revoked one, and after
  // a change of the password: "invalid_grant: Token has been expired or revoked."
  // https://developers.google.com/identity/protocols/oauth2#expiration,
  // https://github.com/googleapis/google-api-dotnet-client/issues/1905
  {
    text: /Token has been expired or revoked/i,
    step: 'sign in again. If this happens every 7 days, the Google application is in status Testing: publish it in the Google Cloud console (Audience, Publish app)',
  },
  // https://developers.google.com/identity/protocols/oauth2/web-server#authorization-errors
  {
    text: /org_internal/,
    step: 'the Google application is only for its own organization: choose External as its user type, or sign in as a user of it',
  },
  {
    text: /invalid_scope/,
    step: 'the provider does not know the scope: use https://mail.google.com/ for Google, or https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access for Microsoft',
  },
  {
    text: /unauthorized_client/,
    step: 'the refresh token is of another application, or the application may not use this flow: connect the mailbox again',
  },
  // The end of a refresh token in general (RFC 6749 section 5.2).
  { text: /invalid_grant/, step: 'connect the mailbox again with a new refresh token' },
  // OpenSSL: the server does not begin with TLS.
  {
    text: /wrong version number|packet length too long|unknown protocol/i,
    step: 'the port does not begin with TLS: use port 993 for IMAP and 465 for SMTP, or STARTTLS (imap://, smtp://)',
  },
  {
    text: /ECONNREFUSED/,
    step: 'nothing listens at this port: IMAP uses 993 (TLS) or 143 (STARTTLS), SMTP 465 or 587',
  },
  {
    text: /greeting/i,
    step: 'the server says nothing at this port: if it begins with TLS, use imaps:// and smtps://',
  },
  {
    text: /does not match certificate|altnames/i,
    step: 'the certificate is of another name: use the name that your provider documents',
  },
]

/** Returns the next step after a provider's refusal; null if its text is unknown. */
export const nextStep = (text: string): string | null =>
  refusals.find((one) => one.text.test(text))?.step ?? null
