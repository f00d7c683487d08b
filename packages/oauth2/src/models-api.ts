// What applications need before they know whether they serve OAuth: it loads neither the endpoints nor what they need.
export { installModels, oauth2Models } from './server/store/models.ts'
export { OAuth2OptionsSchema } from './options/oauth2-options.ts'
