export const controls = async () => [];
