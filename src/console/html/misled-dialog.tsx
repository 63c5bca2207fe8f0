import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'

interface MisledDialogProps {
  href: string
  text: string
  onClose: () => void
}

/** Asks before following a link whose text names another host than the one that it leads to. */
export function MisledDialog({ href, text, onClose }: MisledDialogProps) {
  const url = URL.canParse(href) ? new URL(href) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  const open = () => {
    window.open(url.href, '_blank', 'noopener,noreferrer')
    onClose()
  }
  return (
    <Dialog title="This link opens another site" onClose={onClose}>
      <div class="stack">
        <p>
          The text says <strong>{text}</strong>, but the link opens <strong>{url.hostname}</strong>:
        </p>
        <p class="small faint html-address">{url.href}</p>
        <div class="row">
          <Button kind="primary" onPress={onClose}>
            Cancel
          </Button>
          <Button kind="danger" onPress={open}>
            Open {url.hostname}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
