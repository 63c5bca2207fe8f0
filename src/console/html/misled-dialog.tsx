import { Button, Dialog } from '../parts'

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
    <Dialog title="This link leads elsewhere" onClose={onClose}>
      <div class="stack">
        <p>
          It says <strong>{text}</strong>, and leads to <strong>{url.hostname}</strong>:
        </p>
        <p class="small faint html-address">{url.href}</p>
        <div class="row">
          <Button kind="primary" onPress={onClose}>
            Stay here
          </Button>
          <Button kind="danger" onPress={open}>
            Open {url.hostname}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
