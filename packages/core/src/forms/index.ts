export { type FormParsing, registerForms } from './register-forms.ts'
