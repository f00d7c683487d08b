import type { WithDefaults } from '@modelwire/core/plugin'
import type { Static, TObject } from '@sinclair/typebox'
import { openIdOptions } from './openid-options.ts'
import { pageOptions } from './page-options.ts'
import { resourceOptions } from './resource-options.ts'
import { serverOptions } from './server-options.ts'

/** The options of the plugin `oauth2`; the names of grants are any text, so that grants can be made by options. */
export const optionTable = { ...serverOptions, ...pageOptions, ...openIdOptions, ...resourceOptions }

/** The options as they are written. */
export type WrittenOptions = Static<TObject<typeof optionTable>>

/** The options with their defaults. */
export type OAuth2Settings = WithDefaults<TObject<typeof optionTable>>
