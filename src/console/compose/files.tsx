import type { Signal } from '@preact/signals'
import { tellError } from '../core/notices'
import { shownLine } from '../core/shown'
import { sizeText } from '../core/times'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { type KeptFile, upload } from './draft-keeper'

interface KeptProps {
  files: readonly KeptFile[]
  onRemove: (id: string) => void
}

function Kept({ files, onRemove }: KeptProps) {
  return (
    <ul class="row">
      {files.map(({ upload_id, filename, size }) => (
        <li key={upload_id} class="tag">
          <Icon name="clip" /> {shownLine(filename)} <span class="faint">{sizeText(size)}</span>
          <Button kind="link" label={`Remove ${shownLine(filename)}`} onPress={() => onRemove(upload_id)}>
            ✕
          </Button>
        </li>
      ))}
    </ul>
  )
}

interface FilesProps {
  account: string
  files: Signal<readonly KeptFile[]>
  /** Number of unfinished uploads. */
  uploads: Signal<number>
  onChange: () => void
}

/** Attaches files by a picker. Each is uploaded at once. */
export function Files({ account, files, uploads, onChange }: FilesProps) {
  const add = async (chosen: readonly File[]) => {
    uploads.value += chosen.length
    for (const file of chosen) {
      try {
        files.value = [...files.value, await upload(account, file)]
        onChange()
      } catch (error) {
        tellError(error)
      } finally {
        uploads.value--
      }
    }
  }
  return (
    <fieldset
      class="files"
      aria-label="Attachments"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void add([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <label class="field small">
        <span>Attach files, or drop them here</span>
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void add([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </label>
      {uploads.value > 0 && (
        <p class="small faint" role="status">
          Uploading…
        </p>
      )}
      <Kept
        files={files.value}
        onRemove={(id) => {
          files.value = files.value.filter(({ upload_id }) => upload_id !== id)
          onChange()
        }}
      />
    </fieldset>
  )
}
