import { assignLabel, unassignLabel } from '../../messages/label-assign'
import { createLabel, deleteLabel, listLabels, renameLabel } from '../../messages/labels'
import type { Handlers } from './call'

export const labelsHandlers: Handlers['labels'] = {
  create: ({ ports, scope, request }) => createLabel(ports, scope, request),
  list: ({ ports, scope, request }) => listLabels(ports, scope, request),
  update: ({ ports, scope, request }) => renameLabel(ports, scope, request),
  delete: ({ ports, scope, request }) => deleteLabel(ports, scope, request.id),
  assign: ({ ports, scope, request }) => assignLabel(ports, scope, request),
  unassign: ({ ports, scope, request }) => unassignLabel(ports, scope, request),
}
