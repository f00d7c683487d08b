import { BooleanInput, Edit, NumberInput, ReferenceInput, SimpleForm, TextInput } from 'react-admin'

/** The form of a product. It waits for the answer, so that a lost race is told while what was typed is still there. */
export const ProductEdit = () => (
  <Edit mutationMode="pessimistic">
    <SimpleForm>
      <TextInput source="sku" label="Number" />
      <TextInput source="name" />
      <ReferenceInput source="categoryId" reference="Categories" />
      <NumberInput source="price" />
      <BooleanInput source="inStock" />
    </SimpleForm>
  </Edit>
)
