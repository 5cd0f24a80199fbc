/** Returns the names of the required inputs of a form that are empty. */
export const emptyFields = (form: HTMLFormElement): string[] =>
  [...form.querySelectorAll<HTMLInputElement>('input[required]')]
    .filter(({ value }) => value.trim() === '')
    .map(({ name }) => name);
