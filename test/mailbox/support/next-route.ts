import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type {
  AppRouteHandlers,
  AppRouteRouteModule,
  AppRouteUserlandModule,
} from 'next/dist/server/route-modules/app-route/module'

const require = createRequire(import.meta.url)

/** Builds a route as `next build` does, and answers requests as its server does: all of it is Next's own. */
function loadNext() {
  require('next/dist/server/node-environment-baseline')
  const { AppRouteRouteModule: Module } = require('next/dist/server/route-modules/app-route/module.compiled')
  return {
    Module: Module as typeof AppRouteRouteModule,
    ...(require('next/dist/server/base-http/node') as typeof import('next/dist/server/base-http/node')),
    ...(require('next/dist/server/web/spec-extension/adapters/next-request') as typeof import('next/dist/server/web/spec-extension/adapters/next-request')),
    ...(require('next/dist/server/send-response') as typeof import('next/dist/server/send-response')),
  }
}

/** Serves the exports of `app/hook/route.ts` as Next does, without the seconds that a build takes. */
export function nextRoute(file: AppRouteHandlers): RequestListener {
  const { Module, NodeNextRequest, NodeNextResponse, ...next } = loadNext()
  const { NextRequestAdapter, signalFromNodeResponse, sendResponse } = next
  const route = new Module({
    definition: {
      kind: 'APP_ROUTE' as never,
      page: '/hook/route',
      pathname: '/hook',
      filename: 'route',
      bundlePath: 'app/hook/route',
    },
    distDir: '',
    relativeProjectDir: '',
    resolvedPagePath: '/app/hook/route.ts',
    nextConfigOutput: undefined,
    userland: () => file as AppRouteUserlandModule,
  })
  return async (incoming, outgoing) => {
    const request = new NodeNextRequest(incoming)
    const response = new NodeNextResponse(outgoing)
    const context = {
      params: {},
      previewProps: { previewModeId: '', previewModeEncryptionKey: '', previewModeSigningKey: '' },
      renderOpts: { experimental: {}, waitUntil: undefined, onClose: () => {}, onAfterTaskError: undefined },
      sharedContext: { buildId: '', deploymentId: '' },
    }
    const nextRequest = NextRequestAdapter.fromNodeNextRequest(request, signalFromNodeResponse(outgoing))
    await sendResponse(request, response, await route.handle(nextRequest, context as never))
  }
}
