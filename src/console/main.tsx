import './styles/base.css'
import './styles/parts.css'
import './styles/shell.css'
import './approvals/approvals.css'
import './mail/mail.css'
import './conversations/conversations.css'
import './html/html.css'
import './operations/operations.css'
import './talk/talk.css'
import { render } from 'preact'
import { App } from './app'
import { followLinks } from './core/location'
import { takeSecrets } from './core/secrets'
import { begin } from './core/session'

takeSecrets()
followLinks()
render(<App />, document.getElementById('app')!)
void begin()
