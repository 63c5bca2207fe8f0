/**
 * The only table of refusals: HTTP status, SMTP reply and meaning of each code.
 *
 * `smtp` has the reply code and the enhanced status code (RFC 3463) of the same refusal at the SMTP listener.
 */
export const errorCodes = {
  invalid_request: { status: 400, meaning: 'The request does not have the shape this route takes.' },
  malformed_request: { status: 400, meaning: 'The request is not valid HTTP.' },
  header_too_large: { status: 431, meaning: 'The header of the request is larger than the service takes.' },
  invalid_json: { status: 400, meaning: 'The body is not JSON.' },
  invalid_cursor: { status: 400, meaning: 'The cursor was not issued for this list.' },
  unauthorized: { status: 401, meaning: 'The API key is missing, unknown or revoked.' },
  sign_in_required: { status: 401, meaning: 'An operator must be signed in at the console for this.' },
  origin_refused: { status: 403, meaning: 'The request does not come from the pages of the console.' },
  account_suspended: {
    status: 403,
    smtp: [550, '5.2.1'],
    meaning: 'The account was suspended by the operator of the service.',
  },
  account_expired: {
    status: 403,
    smtp: [550, '5.2.1'],
    meaning: 'The account was not claimed in time; its mail can no longer be read.',
  },
  claim_required: { status: 403, meaning: 'A human must claim the account before it may do this.' },
  operator_unverified: {
    status: 403,
    meaning: 'The address of the operator must be verified before they can claim an account.',
  },
  insufficient_scope: { status: 403, meaning: 'The API key does not have the scope for this.' },
  sending_paused: { status: 403, meaning: 'Sending is paused for this account.' },
  not_found: { status: 404, meaning: 'There is no such thing in this account.' },
  account_not_found: { status: 404, meaning: 'The account of this key no longer exists.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but not with this method.' },
  signature_invalid: {
    status: 503,
    meaning: 'Nothing shows that the provider of this key sent this; it is taken once that is put right.',
  },
  request_timeout: { status: 408, meaning: 'The body of the request came too slowly.' },
  claim_link_unknown: { status: 404, meaning: 'There is no such claim link, or a newer one took its place.' },
  claim_link_used: { status: 409, meaning: 'The claim link was used by somebody else.' },
  claim_link_expired: { status: 410, meaning: 'The claim link is too old.' },
  already_claimed: { status: 409, meaning: 'The account has an operator.' },
  client_id_conflict: {
    status: 409,
    meaning: 'This client_id, or Idempotency-Key, was used for a request with other content.',
  },
  request_in_progress: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still in progress; it can be repeated.',
  },
  idempotency_key_reused: { status: 409, meaning: 'This Idempotency-Key was used with another body.' },
  draft_sent: { status: 409, meaning: 'The draft was sent; it can no longer be changed.' },
  draft_changed: { status: 409, meaning: 'The draft is no longer what it was.' },
  draft_rejected: { status: 409, meaning: 'An operator rejected the draft; change it first.' },
  approval_pending: { status: 409, meaning: 'The draft waits for the approval of an operator.' },
  thread_moved: { status: 409, meaning: 'The thread has a newer message than the one expected.' },
  thread_held: {
    status: 409,
    meaning: 'A person holds the thread, so programs do not write in it until it is released.',
  },
  automatic_mail: {
    status: 409,
    meaning: 'A program wrote the message; answering it is refused unless asked for.',
  },
  no_invitation: {
    status: 409,
    meaning: 'The message has no invitation that can be answered.',
  },
  not_a_report: {
    status: 409,
    meaning: 'The message is no bounce or complaint about a message that its inbox sent.',
  },
  connection_failed: {
    status: 422,
    meaning: 'The mail server could not be reached, or did not take the login.',
  },
  connection_limit_reached: {
    status: 422,
    meaning: 'The account has as many connected mailboxes as it may have.',
  },
  webhook_disabled: { status: 409, meaning: 'The webhook is switched off; nothing is sent to it.' },
  cursor_expired: {
    status: 410,
    meaning: 'The event log does not reach to this cursor: it was cut, or restored from a backup.',
  },
  message_too_large: {
    status: 413,
    smtp: [552, '5.3.4'],
    meaning: 'The message is larger than the service takes.',
  },
  consumer_exists: { status: 409, meaning: 'There is a consumer of this name for other mail.' },
  domain_exists: { status: 409, meaning: 'The account has this domain.' },
  domain_unavailable: { status: 409, meaning: 'Another account has proven that this domain is its own.' },
  domain_in_use: { status: 409, meaning: 'There are inboxes at this domain.' },
  consumer_limit_reached: { status: 422, meaning: 'The account has as many consumers as it may have.' },
  domain_limit_reached: { status: 422, meaning: 'The account has as many domains as it may have.' },
  domain_not_verified: { status: 422, meaning: 'The account has no domain of this name that is verified.' },
  label_exists: { status: 409, meaning: 'There is a label with this name.' },
  system_label: { status: 409, meaning: 'The label, or the name, belongs to the service.' },
  list_exists: { status: 409, meaning: 'There is an entry for this pattern and direction.' },
  payload_too_large: { status: 413, meaning: 'The request body is larger than this route takes.' },
  unsupported_media_type: { status: 415, meaning: 'Bodies are sent as application/json.' },
  inbox_unavailable: { status: 422, meaning: 'This inbox name is reserved or taken.' },
  operator_inbox: { status: 409, meaning: 'Mail to the operator of the service comes to this inbox.' },
  inbox_limit_reached: { status: 422, meaning: 'The account has as many inboxes as its plan allows.' },
  key_limit_reached: { status: 422, meaning: 'The account has as many API keys as it may have.' },
  label_limit_reached: { status: 422, meaning: 'The account has as many labels as it may have.' },
  list_limit_reached: { status: 422, meaning: 'The account has as many list entries as it may have.' },
  recipient_suppressed: {
    status: 422,
    meaning: 'A recipient is on the suppression list, after a bounce, a complaint or by hand.',
  },
  saved_reply_limit_reached: {
    status: 422,
    meaning: 'The account has as many saved replies as it may have.',
  },
  suppression_limit_reached: { status: 422, meaning: 'The suppression list is as long as it may be.' },
  recipient_blocked: { status: 422, meaning: 'The lists of the account refuse this recipient.' },
  range_not_satisfiable: { status: 416, meaning: 'The range begins beyond the end of the file.' },
  sender_blocked: {
    status: 403,
    smtp: [550, '5.7.1'],
    meaning: 'The lists of the recipient refuse this sender.',
  },
  webhook_limit_reached: { status: 422, meaning: 'The account has as many webhooks as it may have.' },
  draft_incomplete: { status: 422, meaning: 'The draft lacks something that a message needs.' },
  message_empty: {
    status: 422,
    meaning: 'The mail says nothing: it has no text, no HTML and no attachment.',
  },
  no_recipients: { status: 422, meaning: 'The mail has nobody to go to.' },
  rate_limited: { status: 429, smtp: [451, '4.7.1'], meaning: 'Too many requests; wait and try again.' },
  loop_suspected: {
    status: 429,
    meaning: 'The account has written to one thread very often: two programs may be answering each other.',
  },
  warmup_limit_reached: { status: 429, meaning: 'The account is new and may not send more today.' },
  daily_limit_reached: { status: 429, meaning: 'The account has sent as much today as its plan allows.' },
  recipient_domain_limit_reached: {
    status: 429,
    meaning: 'The account has sent as much to one domain today as it may.',
  },
  storage_limit_reached: {
    status: 422,
    smtp: [452, '4.2.2'],
    meaning: 'The account, or the service, stores as much as it may.',
  },
  quota_exceeded: {
    status: 429,
    smtp: [452, '4.2.2'],
    meaning: 'The account may not receive more mail before it is claimed.',
  },
  internal_error: {
    status: 500,
    smtp: [451, '4.3.0'],
    meaning: 'The service failed; the request can be repeated.',
  },
  capture_required: {
    status: 403,
    meaning: 'This is for trying an agent where mail is captured; the service delivers mail for real.',
  },
  mail_refused: { status: 422, meaning: 'The SMTP listener refused the message.' },
  picture_unavailable: {
    status: 502,
    meaning: 'The picture could not be fetched from the address in the message, or its type is not shown.',
  },
  signup_unavailable: {
    status: 503,
    meaning: 'Signup is switched off at this service, or lacks the secret of the key that a replay asks for.',
  },
  unavailable: {
    status: 503,
    smtp: [451, '4.3.2'],
    meaning: 'The service is starting or stopping, or something that it needs cannot be had for now.',
  },
  storage_unavailable: {
    status: 503,
    smtp: [452, '4.3.1'],
    meaning: 'The disk of the service is full, or fails.',
  },
  mailbox_unavailable: { status: 422, smtp: [550, '5.1.1'], meaning: 'There is no inbox with this address.' },
  address_retired: { status: 410, smtp: [550, '5.1.6'], meaning: 'The inbox with this address was deleted.' },
} as const satisfies Record<string, { status: number; smtp?: readonly [number, string]; meaning: string }>

/** A code of a refusal. Clients must expect unknown codes. */
export type ErrorCode = keyof typeof errorCodes
