import type { FastifyInstance, FastifyReply } from 'fastify'
import { OptionMissing } from '../errors.ts'
import { type ConsentPage, consentPage } from './consent-page.ts'
import { type DevicePage, devicePage } from './device-page.ts'
import type { Look } from './layout.ts'
import { type LoginPage, loginPage } from './login-page.ts'
import { type DonePage, donePage, type ErrorPage, errorPage, type LogoutPage, logoutPage } from './message-pages.ts'
import { type PageRules, sendPage, setBrowserHeaders } from './page-headers.ts'

/** The pages and their values: the plugin's own functions, and the application's own views. */
export interface PageFacts {
  readonly login: LoginPage
  readonly consent: ConsentPage
  readonly error: ErrorPage
  readonly device: DevicePage
  readonly logout: LogoutPage
  readonly done: DonePage
}

/** Name of a page. */
export type PageName = keyof PageFacts

/** Views of the application in place of pages, by the page's name. */
export type OwnViews = Readonly<Partial<Record<PageName, string>>>

/** Sends a page. The status is the reply's. */
export type ShowPage = <Name extends PageName>(
  reply: FastifyReply,
  name: Name,
  facts: PageFacts[Name],
  rules?: PageRules
) => FastifyReply

const builtIn: { readonly [Name in PageName]: (look: Look, facts: PageFacts[Name]) => string } = {
  login: loginPage,
  consent: consentPage,
  error: errorPage,
  device: devicePage,
  logout: logoutPage,
  done: donePage
}

/** Renders a view of the application: it may load what it likes, but stands in no frame and in no cache. */
export function sendView(reply: FastifyReply, view: string, facts: object): FastifyReply {
  const headed = setBrowserHeaders(reply)
    .header('content-security-policy', "frame-ancestors 'none'")
    .header('x-frame-options', 'DENY')
  const render: unknown = Reflect.get(headed, 'view')
  if (typeof render !== 'function') throw new OptionMissing(`the view ${view} needs @fastify/view`)
  render.call(headed, view, facts)
  return headed
}

/** Makes the function that shows pages. */
export function makeShowPage(look: Look, views: OwnViews): ShowPage {
  return (reply, name, facts, rules) => {
    const view = views[name]
    if (view !== undefined) return sendView(reply, view, { ...facts, name: look.name })
    return sendPage(reply, look, builtIn[name](look, facts), rules)
  }
}

/** Refuses to start where views are named and nothing renders them. @throws {OptionMissing} (at the start) */
export function checkViews(app: FastifyInstance, views: readonly (string | undefined)[]): void {
  const named = views.filter((view) => view !== undefined)
  if (named.length === 0) return
  app.addHook('onReady', async () => {
    if (!app.hasReplyDecorator('view')) throw new OptionMissing(`the view ${named.join(', ')} needs @fastify/view`)
  })
}
