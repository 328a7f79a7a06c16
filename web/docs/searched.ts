/** The index of the documentation, as it is built and as it is read. */
export const searched = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page'] };
