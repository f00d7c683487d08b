import type { FastifyReply } from 'fastify'
import type { OAuth2Options } from '@modelwire/oauth2'
import type { BootContext } from '../extension.ts'
import { isFunction } from '../callback-bridge.ts'

/** Views of the application are rendered by Express, as its own pages are. */
export function addViews({ server, app }: BootContext, { decisionView }: OAuth2Options): void {
  if (decisionView === undefined || server.hasReplyDecorator('view')) return
  const { render } = app
  server.decorateReply('view', function (this: FastifyReply, name: string, facts: object) {
    const done = (error: unknown, html?: string): void => {
      if (error === undefined || error === null) this.type('text/html; charset=utf-8').send(html)
      else this.send(error)
    }
    if (isFunction(render)) render(name, facts, done)
    return this
  })
}
