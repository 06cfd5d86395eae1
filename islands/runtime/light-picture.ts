/** Size up to which a picture is uploaded as it is, in bytes. */
export const lightPicture = 300 * 1024;
