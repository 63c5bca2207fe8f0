import { assignLabel, unassignLabel } from '../../core/label-assign'
import { createLabel, deleteLabel, listLabels, renameLabel } from '../../core/labels'
import type { Handlers } from '../handler'

export const labelsHandlers: Handlers['labels'] = {
  create: ({ core, scope, request }) => createLabel(core, scope, request),
  list: ({ core, scope, request }) => listLabels(core, scope, request),
  update: ({ core, scope, request }) => renameLabel(core, scope, request),
  delete: ({ core, scope, request }) => deleteLabel(core, scope, request.id),
  assign: ({ core, scope, request }) => assignLabel(core, scope, request),
  unassign: ({ core, scope, request }) => unassignLabel(core, scope, request),
}
